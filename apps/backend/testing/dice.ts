/** Random numbers that a seed repeats: mulberry32, small and the same everywhere. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** From 0 to less than 1. */
  throw(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Undefined if there is nothing to pick from. */
  pick<T>(from: readonly T[]): T | undefined {
    return from[Math.floor(this.throw() * from.length)];
  }

  shuffle<T>(items: readonly T[]): T[] {
    const placed = items.map((item) => ({ item, place: this.throw() }));
    return placed.sort((a, b) => a.place - b.place).map(({ item }) => item);
  }
}
