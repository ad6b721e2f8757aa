import { workerData } from "node:worker_threads";

/** Shared with the thread that beats. Times are in nanoseconds. */
export interface Metronome {
  /** How many stopwatches run. */
  running: Int32Array;
  beats: BigInt64Array;
  /** How long the beats took together. */
  took: BigInt64Array;
  /** How long the fastest took: on a machine with nothing else to do, each would. */
  fastest: BigInt64Array;
  /** When the last beat ended. */
  ended: BigInt64Array;
}

const { running, beats, took, fastest, ended } = workerData as Metronome;
const rest = new Int32Array(new SharedArrayBuffer(4));

/** A beat is a rest and a piece of work, always the same: it takes longer only if the machine is busy. */
function beat(): void {
  Atomics.wait(rest, 0, 0, 18);
  let number = 1;
  for (let step = 0; step < 1_500_000; step += 1) number = Math.imul(number, 48_271) ^ step;
  rest[0] = number & 0;
}

for (;;) {
  Atomics.wait(running, 0, 0);
  const begun = process.hrtime.bigint();
  beat();
  const now = process.hrtime.bigint();
  if (now - begun < Atomics.load(fastest, 0)) Atomics.store(fastest, 0, now - begun);
  Atomics.add(took, 0, now - begun);
  Atomics.add(beats, 0, 1n);
  Atomics.store(ended, 0, now);
}
