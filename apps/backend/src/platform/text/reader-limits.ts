const MiB = 1024 ** 2;

/** Limits of the process that reads one document. */
export const readerLimits = {
  /** From its start to its outcome. */
  wallMillis: 12_000,
  /** All its threads together; applies even after we are gone. */
  cpuSeconds: 12,
  /** V8's heap. Beyond it V8 aborts. */
  heapMiB: 256,
  /** All writable memory: heap, buffers, stacks, and 510 MiB that V8 reserves for code and hardly touches. */
  dataBytes: 1024 * MiB,
  /** Node 24 has 1.3 GB mapped before it does anything; the limit above is the one that bites. */
  addressSpaceBytes: 4096 * MiB,
  /** Node itself has 22 open. */
  openFiles: 64,
} as const;
