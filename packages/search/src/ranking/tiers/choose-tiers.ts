import { everyTier, noTier } from "./tiered-word.ts";

/** What each word adds to the bound and to the number of candidates, by tier. */
export interface TierChoices {
  words: readonly { isNeeded: boolean }[];
  /** The most that the word adds to the score of a document below this tier, times its weight. */
  most: (word: number, tier: number) => number;
  /** The same, unless its name has another form of the word than its text. */
  likely: (word: number, tier: number) => number;
  /** About how many documents reach the tier. */
  size: (word: number, tier: number) => number;
  lowest: number;
  /** About how many documents there are, whatever their tiers. */
  everything: number;
  /** Whether a document may lack words: then all documents with one word can be taken. */
  isSome: boolean;
  /** Whether every document lacks one: those with all words have been found before. */
  isSomeMissing: boolean;
}

export interface ChosenTiers {
  /** One for each word: a document is a candidate if it reaches the tier of any. Undefined: every document is one. */
  tiers: readonly number[] | undefined;
  /** Every other document scores less, before recency. */
  bound: number;
  /** Hardly another document scores more. */
  likely: number;
  size: number;
}

/**
 * Cheaper choices first, each including the one before: lowers the tier that reduces the bound most per document, again
 * and again, until everything is chosen.
 */
export function* chooseTiers(choices: TierChoices): Generator<ChosenTiers> {
  const everything = { tiers: undefined, bound: 0, likely: 0, size: choices.everything };
  const tiers = choices.words.map(() => noTier);
  while (true) {
    const size = tiers.reduce((sum, tier, word) => sum + choices.size(word, tier), 0);
    if (size >= choices.everything) break;
    const [bound, likely] = [boundOf(choices, choices.most, tiers), boundOf(choices, choices.likely, tiers)];
    yield { tiers: [...tiers], bound, likely, size };
    const step = cheapestStep(choices, tiers);
    if (!step) break;
    tiers[step.word] = step.tier;
  }
  yield everything;
}

function cheapestStep(choices: TierChoices, tiers: readonly number[]) {
  let best: { word: number; tier: number; gain: number } | undefined;
  for (const [word, tier] of tiers.entries()) {
    for (const lower of lowerTiers(tier, choices)) {
      const less = choices.most(word, tier) - choices.most(word, lower);
      const more = choices.size(word, lower) - choices.size(word, tier);
      const gain = less / Math.max(1, more);
      if (less > 0 && (!best || gain > best.gain)) best = { word, tier: lower, gain };
    }
  }
  return best;
}

function* lowerTiers(tier: number, { lowest, isSome }: TierChoices): Generator<number> {
  for (let lower = tier - 1; lower >= lowest; lower--) yield lower;
  if (isSome && tier > everyTier) yield everyTier;
}

function boundOf(
  { words, isSomeMissing }: TierChoices,
  most: TierChoices["most"],
  tiers: readonly number[],
): number {
  const each = tiers.map((tier, word) => most(word, tier));
  const sum = each.reduce((total, one) => total + one, 0);
  return isSomeMissing ? sum - Math.min(...each.filter((_, word) => words[word]?.isNeeded)) : sum;
}
