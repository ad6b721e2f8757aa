/** What one call and one process may use. A part of the server, so that a test can lower them. */
export interface Limits {
  /** For the body of a command to arrive. */
  bodyMillis: number;
  /** Before it: for what was sent with it to be unpacked and read. */
  readingMillis: number;
  /** From then on to its answer. */
  commandMillis: number;
  /** The same of one that waits for what goes on, such as `operations show --follow`. */
  waitingMillis: number;
  /** Pieces of uploads that are received at once, of all tenants. */
  uploadsAtOnce: number;
  /** Calls whose files are unpacked and read at once, of all tenants. */
  readingsAtOnce: number;
  /** Of one file. */
  uploadBytes: number;
  /** Beyond these the process turns requests away until it has caught up. */
  eventLoopDelayMillis: number;
  rssBytes: number;
}

export const defaultLimits: Limits = {
  bodyMillis: 10_000,
  readingMillis: 600_000,
  commandMillis: 30_000,
  waitingMillis: 4 * 3_600_000,
  uploadsAtOnce: 60,
  readingsAtOnce: 12,
  uploadBytes: 1024 ** 3,
  eventLoopDelayMillis: 1_000,
  rssBytes: 2 * 1024 ** 3,
};
