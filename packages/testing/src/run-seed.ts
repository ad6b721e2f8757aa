import { randomInt } from "node:crypto";

/** What a gate draws must not depend on luck: a change is refused for what it does. The nightly run draws anew. */
const seedOfSamples = 20_261_119;

/** The seed of a random test: SVC_SEED repeats a run. */
export function runSeed(): number {
  if (process.env.SVC_SEED !== undefined) return Number(process.env.SVC_SEED);
  return process.env.SVC_FAULTS === "full" ? randomInt(2 ** 31) : seedOfSamples;
}
