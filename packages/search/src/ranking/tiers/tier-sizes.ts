import type { TenantTransaction } from "@svc/database/database";
import { lowestTextTier, tierBorders } from "../../impact/tiers.ts";
import { allOf, anyOf } from "../../query/query-words.ts";
import { placesOf, wholeNameQuery } from "../levels.ts";
import type { DocumentsToRank } from "../ranked-page.ts";
import { countInSample } from "../sample.ts";
import type { SearchQuery } from "../search-query.ts";
import type { RankedWord } from "../word-score.ts";
import { everyTier, noTier, tierQuery } from "./tiered-word.ts";

/** About how many visible documents reach each tier of each word; `everyTier` means all that have the word. */
export interface TierSizes {
  reached: (word: number, tier: number) => number;
  inName: (word: number) => number;
  /** With the name itself. */
  named: number;
  /** With a word in their name, below a folder with a word. */
  inNameAndPath: number;
  /** With all needed words in their text, those of joined tokens in any order. */
  withAll: number;
}

/** Every second tier is counted; the one between has half of both. */
const counted = tierBorders
  .keys()
  .drop(lowestTextTier)
  .filter((tier) => (tier - lowestTextTier) % 2 === 0)
  .toArray();

/** From the sample, with the filters of the query: only visible documents decide which candidates are ranked. */
export async function readTierSizes(
  transaction: TenantTransaction,
  { parsed, content, source }: SearchQuery,
  words: readonly RankedWord[],
  { statistics, frequencies }: Pick<DocumentsToRank, "statistics" | "frequencies">,
): Promise<TierSizes> {
  const needed = words.filter(({ isNeeded }) => isNeeded);
  const ofWord = parsed.words.flatMap((word, index) => {
    const [lowest = null, ...narrower] = counted.map((tier) => tierQuery(word, tier, content));
    const { name = null, body = null } = words[index] ?? {};
    return [
      { name, body: null },
      {
        name: null,
        body: content ? among(body, lowest) : lowest,
        narrower: narrower.map((tiers) => ({ name: null, body: tiers })),
      },
    ];
  });
  const inText = words.flatMap(({ body, isNeeded, isPhrase }, index) => {
    const isRead = parsed.words[index]?.isJoined || (isNeeded && !isPhrase);
    return isRead && body !== null ? [body] : [];
  });
  const ofLevels = [
    { name: null, body: allOf(inText) },
    { name: wholeNameQuery(parsed.wholeName), body: null },
    { name: anyOf(needed.map(({ wholeInName }) => wholeInName)), body: null, places: placesOf(needed) },
  ];
  const asked = [...ofWord, ...ofLevels];
  const perWord = counted.length + 1;
  const { found, each } = await countInSample(transaction, source, statistics, asked);
  const sizes = found.map((count) => Math.max(count, 0.5) * each);
  const [withAll = 0, named = 0, inNameAndPath = 0] = sizes.slice(perWord * words.length);
  const inName = (word: number) => sizes[word * perWord] ?? 0;
  const reachedInText = (word: number, tier: number) => {
    const at = (tier - lowestTextTier) / 2;
    const sizeOf = (index: number) => (index < counted.length ? (sizes[word * perWord + 1 + index] ?? 0) : 0);
    return (sizeOf(Math.floor(at)) + sizeOf(Math.ceil(at))) / 2;
  };
  return {
    withAll,
    named,
    inNameAndPath,
    inName,
    reached: (word, tier) => {
      if (tier >= noTier) return 0;
      if (tier <= everyTier) return frequencies[word] ?? 0;
      const inText = reachedInText(word, Math.max(tier, lowestTextTier));
      return tier < lowestTextTier ? Math.max(inText, inName(word)) : inText;
    },
  };
}

/** Documents that lack the word are not compared with all its tiers. */
function among(body: string | null, tiers: string | null): string | null {
  return body === null ? tiers : allOf([anyOf([body]), tiers]);
}
