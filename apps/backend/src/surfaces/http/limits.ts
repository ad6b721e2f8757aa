/** Limits of one call and one process. Part of the server's options, so that a test can lower them. */
export interface Limits {
  /** Time for the body of a command to arrive. */
  bodyMillis: number;
  /** Time to unpack and read uploads, before the command. */
  readingMillis: number;
  /** Time from then to the answer. */
  commandMillis: number;
  /** The same for a command that stores a tree, and for its transaction. */
  storingMillis: number;
  /** The same for a command that follows background work, such as `operations show --follow`. */
  waitingMillis: number;
  /** Time to look up what can come next in a line; the client gives up after 300 ms. */
  completionMillis: number;
  /** Pieces of uploads received at once, for all tenants. */
  uploadsAtOnce: number;
  /** Calls whose files are unpacked and read at once, for all tenants. */
  readingsAtOnce: number;
  /** Large uploads stored at once, for all tenants. */
  storingAtOnce: number;
  /** Of one file. */
  uploadBytes: number;
  /** Above these, the process refuses requests until it has caught up. */
  eventLoopDelayMillis: number;
  /** Of what the heap may grow to: what a collection leaves of heap and buffers. */
  heldMemoryShare: number;
}

export const defaultLimits: Limits = {
  bodyMillis: 10_000,
  readingMillis: 600_000,
  commandMillis: 30_000,
  storingMillis: 3_600_000,
  waitingMillis: 4 * 3_600_000,
  completionMillis: 250,
  uploadsAtOnce: 60,
  readingsAtOnce: 12,
  storingAtOnce: 4,
  uploadBytes: 100 * 1_000 ** 3,
  eventLoopDelayMillis: 1_000,
  heldMemoryShare: 0.75,
};
