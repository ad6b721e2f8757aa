/**
 * Whether the model is computing, shared by both threads. The runtime aborts a process that ends meanwhile; so the
 * ending thread waits for the current run, and no other begins.
 */
export type RunState = Int32Array<SharedArrayBuffer>;

const idle = 0;
const running = 1;
const over = 2;
/** Far longer than the longest text takes. */
const patienceMillis = 5_000;

export function newRunState(): RunState {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

/** In the model's thread. */
export async function withinRun<T>(state: RunState, work: () => Promise<T>): Promise<T> {
  if (Atomics.compareExchange(state, 0, idle, running) === over) throw new Error("The process is ending.");
  try {
    return await work();
  } finally {
    Atomics.store(state, 0, idle);
    Atomics.notify(state, 0);
  }
}

/** In the thread that ends the process; blocks it. */
export function endRuns(state: RunState): void {
  while (Atomics.compareExchange(state, 0, idle, over) === running) {
    if (Atomics.wait(state, 0, running, patienceMillis) === "timed-out") return;
  }
}
