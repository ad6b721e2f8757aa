/**
 * A private generator, so that two runs produce the same data. Words are as uneven as in real text: the second is half
 * as frequent.
 */
export const vocabulary = 50_000;

export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0 || 1;
  }

  /** At least 0, below 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }
}

/** No stemmer changes it, and no language has it as a stop word. */
export function wordOf(rank: number): string {
  return `w${rank}`;
}

/** A rank by Zipf's law. */
function drawRank(dice: Dice): number {
  return Math.max(1, Math.floor(vocabulary ** dice.next()));
}

/** The words of a text. */
export const textLength = 170;

/** About 1 kB. */
export function drawText(dice: Dice): string {
  return Array.from({ length: textLength }, () => wordOf(drawRank(dice))).join(" ");
}

/** Ranks of words that are in a few, in about one of a hundred, and in most documents of that length. */
const ranks = { rare: [15_000, 45_000], mid: [500, 3_000], common: [1, 12] } as const;

export type QueryKind = keyof typeof queryKinds;

const draw = (dice: Dice, kind: keyof typeof ranks) => wordOf(dice.between(ranks[kind][0], ranks[kind][1]));

/** What people type, each time another one. */
export const queryKinds = {
  rare: (dice: Dice) => `${draw(dice, "rare")} `,
  mid: (dice: Dice) => `${draw(dice, "mid")} `,
  common: (dice: Dice) => `${draw(dice, "common")} `,
  "2 words": (dice: Dice) => `${draw(dice, "mid")} ${draw(dice, "common")} `,
  "3 words": (dice: Dice) => `${draw(dice, "mid")} ${draw(dice, "mid")} ${draw(dice, "common")} `,
  sentence: (dice: Dice) =>
    `${Array.from({ length: 10 }, () => wordOf(drawRank(dice))).join(" ")} ${draw(dice, "rare")} `,
  phrase: (dice: Dice) => `"${draw(dice, "common")} ${wordOf(dice.between(10, 200))}"`,
  prefix: (dice: Dice) => `w${dice.between(100, 999)}`,
  name: (dice: Dice) => `file ${dice.between(1, 99)}`,
};
