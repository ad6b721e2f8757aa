import { createHash } from "node:crypto";

/**
 * Random values by name instead of in sequence: the same document every time, and a new one changes none of the others.
 * From 0 to less than 1.
 */
export function chance(name: string): number {
  return createHash("sha256").update(name).digest().readUInt32BE(0) / 2 ** 32;
}

export function between(name: string, least: number, most: number): number {
  return least + Math.floor(chance(name) * (most - least + 1));
}

export function pick<T>(name: string, from: readonly T[]): T {
  return at(from, Math.floor(chance(name) * from.length));
}

/** Several different items, in the order of the list. */
export function pickSome<T>(name: string, from: readonly T[], count: number): T[] {
  const kept = from
    .map((item, index) => ({ item, index, place: chance(`${name} ${index}`) }))
    .sort((a, b) => a.place - b.place)
    .slice(0, count);
  return kept.sort((a, b) => a.index - b.index).map(({ item }) => item);
}

/** Round and round. */
export function at<T>(from: readonly T[], index: number): T {
  const item = from[index % from.length];
  if (item === undefined) throw new Error("there is nothing to take from");
  return item;
}
