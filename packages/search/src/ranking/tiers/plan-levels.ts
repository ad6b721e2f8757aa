import type { ParsedQuery } from "../../query/parse-query.ts";
import type { QueryPhrase } from "../../query/query-phrase.ts";
import { findSome, highestLevel, type Level, levels, lookupOf } from "../levels.ts";
import { mostWithPhrase } from "../phrased-words.ts";
import type { DocumentsToRank } from "../ranked-page.ts";
import type { SearchQuery } from "../search-query.ts";
import type { RankedWord } from "../word-score.ts";
import { type ChosenTiers, chooseTiers } from "./choose-tiers.ts";
import { LevelPlan } from "./level-plan.ts";
import type { TierSizes } from "./tier-sizes.ts";
import { everyTier, isOfOneKind, lowestTier, mostBelow } from "./tiered-word.ts";

/** So few documents of a level are ranked at once, without tiers. */
const few = 500;

/** The levels that the rest of a search can have documents of, the best first. */
export function planLevels(
  query: SearchQuery,
  words: readonly RankedWord[],
  { after, meaning, ranking, frequencies }: DocumentsToRank,
  sizes: TierSizes,
): LevelPlan[] {
  const { parsed, content } = query;
  const lookup = lookupOf(query, words);
  const documentsOf = countLevels(parsed, words, frequencies, sizes);
  const circumstances = { ...ranking, content };
  const most = parsed.words.map((word) => mostBelow(circumstances, isOfOneKind(word)));
  const likely = mostBelow(circumstances, true);
  const stepsOf = ({ has }: Level, documents: number): ChosenTiers[] => {
    if (documents <= few) return [{ tiers: undefined, bound: 0, likely: 0, size: documents }];
    const isInName = has === "name" || has === "all in name";
    const isSome = has === "some" || has === "all in name and path";
    const choices = chooseTiers({
      words,
      lowest: lowestTier(isInName || !content),
      everything: documents,
      isSome,
      isSomeMissing: has === "some" && !meaning,
      most: (index, tier) => (words[index]?.weight ?? 0) * (most[index]?.(tier) ?? 0),
      likely: (index, tier) => (words[index]?.weight ?? 0) * likely(tier),
      size: (index, tier) => {
        const reached = sizes.reached(index, tier);
        return (has === "some" && parsed.phrases.length === 0) || tier === everyTier
          ? reached
          : reached * Math.min(1, documents / (frequencies[index] || documents));
      },
    });
    return [...choices];
  };
  return numbered(meaning !== undefined)
    .filter(({ number, finds }) => number <= (after?.level ?? highestLevel) && finds(lookup) !== undefined)
    .map((level) => {
      const documents = documentsOf[level.has];
      const isInRow = parsed.phrases.length > 0 || level.has === "glued";
      return new LevelPlan({ ...level, documents, isInRow }, stepsOf(level, documents));
    });
}

/** With meaning, the levels that it can outweigh are one. */
function numbered(isWithMeaning: boolean): (Level & { number: number })[] {
  const all: readonly Level[] = levels;
  const each = all.map((level, index) => ({ ...level, number: highestLevel - index }));
  const last = each.at(-1);
  if (!isWithMeaning || !last) return each;
  return [...each.filter(({ isAboveMeaning }) => isAboveMeaning), { ...last, finds: findSome }];
}

/** About how many documents are read to find all of a level. */
function countLevels(
  parsed: ParsedQuery,
  words: readonly RankedWord[],
  frequencies: readonly number[],
  sizes: TierSizes,
): Record<Level["has"], number> {
  const needed = words.flatMap(({ isNeeded }, index) => (isNeeded ? [index] : []));
  const each = needed.map((index) => frequencies[index] ?? 0);
  const rarest = Math.min(...each);
  const withPhrase = (phrase: QueryPhrase) => mostWithPhrase(phrase, parsed, frequencies);
  const inQuotes = Math.min(...parsed.phrases.map(withPhrase));
  return {
    name: sizes.named,
    "all in name": Math.min(...needed.map((index) => sizes.inName(index))),
    "all in name and path": sizes.inNameAndPath,
    glued: Math.min(...parsed.glued.map(withPhrase), total(frequencies)),
    all: Math.min(inQuotes, needed.length > 1 ? Math.min(rarest, sizes.withAll) : rarest),
    some: Math.min(inQuotes, total(each)),
  };
}

function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
