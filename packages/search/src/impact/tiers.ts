import { bm25 } from "./impact.ts";

/**
 * A tier is a class of impact. A document stores the tier of each of its words as one more lexeme without a position:
 * `~5report` says that the impact of "report" is in tier 5. A search then asks the index for the documents in which its
 * words matter most, instead of all that have them (ADR 48).
 */
export const tierBorders: readonly number[] = [
  // Short names: only for their words. Most words of a text would have one, too.
  1.05,
  1.2,
  // Each begins where the relative frequency is √2 times that of the one before.
  ...Array.from({ length: 8 }, (_, index) => {
    const frequency = 1.2 * 2 ** ((index + 1) / 2);
    return (bm25.most * frequency) / (1 + frequency);
  }),
  // Only words in both name and text.
  2.2,
  2.4,
  2.6,
  2.8,
  3.1,
];

/** Below this tier, only words of the name have one. */
export const lowestTextTier = 2;

export function tierOf(impact: number, isInName: boolean): number | undefined {
  const tier = tierBorders.findLastIndex((border) => impact >= border);
  return tier >= (isInName ? 0 : lowestTextTier) ? tier : undefined;
}

/** No word begins with the mark, so neither a word nor the beginning of one finds such a lexeme. */
const mark = "~";

export function tierLexeme(tier: number, term: string): string {
  return `${mark}${tier.toString(36)}${term}`;
}

/** Of the whole name, for the documents that are named exactly so. */
export function wholeNameLexeme(wholeName: string): string {
  return `${mark}=${wholeName}`;
}
