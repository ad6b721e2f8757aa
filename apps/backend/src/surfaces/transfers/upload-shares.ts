import { FairShares } from "@svc/fair-shares/fair-shares";
import type { Limits } from "../http/limits.ts";

/** Tells a client to retry later instead of letting it wait longer than it would. */
const maxWaitMillis = 10_000;
const maxWaiting = 500;

/** Shares the capacity to receive, read and store uploads among callers. */
export class UploadShares {
  readonly receiving: FairShares;
  /** Waits as long as its call: progress and heartbeats show the client that work continues. */
  readonly reading: FairShares;
  /** The same for trees, each of which keeps a database connection while it is stored. */
  readonly storing: FairShares;

  constructor({ uploadsAtOnce, readingsAtOnce, storingAtOnce }: Limits) {
    this.receiving = new FairShares({ slots: uploadsAtOnce, maxWaiting, maxWaitMillis });
    this.reading = new FairShares({ slots: readingsAtOnce, maxWaiting });
    this.storing = new FairShares({ slots: storingAtOnce, maxWaiting });
  }
}
