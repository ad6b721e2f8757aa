import { Worker } from "node:worker_threads";
import type { Metronome } from "./metronome.ts";

/**
 * For limits in tests: the time that a machine with nothing else to do would have taken. A metronome beats beside the
 * test, in another thread: the time by which its beats are late went to others.
 */
export class Stopwatch {
  readonly #metronome: Metronome;
  readonly #begun = process.hrtime.bigint();
  readonly #beats: bigint;
  readonly #took: bigint;
  #millis: number | undefined;

  constructor(metronome = ownMetronome()) {
    this.#metronome = metronome;
    this.#beats = Atomics.load(metronome.beats, 0);
    this.#took = Atomics.load(metronome.took, 0);
    Atomics.add(metronome.running, 0, 1);
    Atomics.notify(metronome.running, 0);
  }

  /** Milliseconds from the beginning to the first call. */
  stop(): number {
    if (this.#millis !== undefined) return this.#millis;
    const { running, beats, took, fastest, ended } = this.#metronome;
    Atomics.sub(running, 0, 1);
    const now = process.hrtime.bigint();
    const expected = Atomics.load(fastest, 0);
    const counted = Atomics.load(beats, 0) - this.#beats;
    // The beat under way counts as late if it should have ended by now.
    const since = Atomics.load(ended, 0) > this.#begun ? Atomics.load(ended, 0) : this.#begun;
    const overdue = now - since > expected ? now - since - expected : 0n;
    const late = Atomics.load(took, 0) - this.#took - counted * expected + overdue;
    this.#millis = Math.max(0, Number(now - this.#begun - late) / 1e6);
    return this.#millis;
  }
}

let started: Metronome | undefined;

function ownMetronome(): Metronome {
  if (started) return started;
  started = newMetronome();
  new Worker(new URL("./metronome.ts", import.meta.url), { workerData: started }).unref();
  return started;
}

/** Before the first beat, it counts as late after 25 ms. */
export function newMetronome(): Metronome {
  const shared = () => new BigInt64Array(new SharedArrayBuffer(8));
  return {
    running: new Int32Array(new SharedArrayBuffer(4)),
    beats: shared(),
    took: shared(),
    fastest: shared().fill(25_000_000n),
    ended: shared(),
  };
}
