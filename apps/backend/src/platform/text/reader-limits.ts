const MiB = 1024 ** 2;

/** What the process that reads one document may use. */
export const readerLimits = {
  /** From its start to its outcome. */
  wallMillis: 12_000,
  /** All its threads together; holds also when we are gone. */
  cpuSeconds: 12,
  /** V8's heap. Beyond it V8 aborts. */
  heapMiB: 256,
  /** Whatever is written to: heap, buffers, stacks, and 510 MiB that V8 reserves for code and hardly touches. */
  dataBytes: 1024 * MiB,
  /** Node 24 has 1.3 GB mapped before it does anything; the limit above is the one that bites. */
  addressSpaceBytes: 4096 * MiB,
  /** Node itself has 22 open. */
  openFiles: 64,
} as const;
