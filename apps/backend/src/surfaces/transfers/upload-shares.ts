import { FairShares } from "@svc/fair-shares/fair-shares";
import type { Limits } from "../http/limits.ts";

/** Tells a client to retry later instead of letting it wait longer than it would. */
const maxWaitMillis = 10_000;
const maxWaiting = 500;

/** Shares the capacity to receive, unpack and read uploads among callers. */
export class UploadShares {
  readonly receiving: FairShares;
  /** Waits as long as its call: progress and heartbeats show the client that work continues. */
  readonly reading: FairShares;

  constructor({ uploadsAtOnce, readingsAtOnce }: Pick<Limits, "uploadsAtOnce" | "readingsAtOnce">) {
    this.receiving = new FairShares({ slots: uploadsAtOnce, maxWaiting, maxWaitMillis });
    this.reading = new FairShares({ slots: readingsAtOnce, maxWaiting });
  }
}
