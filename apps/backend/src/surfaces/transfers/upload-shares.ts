import { FairShares } from "@svc/fair-shares/fair-shares";
import type { Limits } from "../http/limits.ts";

/** A client is told to come back later instead of waiting silently for longer than it would. */
const maxWaitMillis = 10_000;
const maxWaiting = 500;

/** Who may send, and have unpacked and read what was sent, while others do the same. */
export class UploadShares {
  readonly receiving: FairShares;
  /** Waits as long as its call: progress and heartbeats tell the client that it goes on. */
  readonly reading: FairShares;

  constructor({ uploadsAtOnce, readingsAtOnce }: Pick<Limits, "uploadsAtOnce" | "readingsAtOnce">) {
    this.receiving = new FairShares({ slots: uploadsAtOnce, maxWaiting, maxWaitMillis });
    this.reading = new FairShares({ slots: readingsAtOnce, maxWaiting });
  }
}
