import type { TenantTransaction } from "@svc/database/database";
import type { ParsedQuery, QueryWord } from "../query/parse-query.ts";
import type { Correction } from "../query/with-corrections.ts";
import { countWords } from "../ranking/count-words.ts";
import type { SearchQuery } from "../ranking/search-query.ts";
import type { Statistics } from "../ranking/statistics.ts";
import { findNeighbours, type Neighbour } from "./find-neighbours.ts";
import { findUnknownWords } from "./find-unknown-words.ts";

/** Words of a query that are looked at, and that are corrected; similar words used for each. */
const mostSuspects = 16;
const mostWords = 3;
const mostUsed = 3;

/** Words that may be misspelled: only these are looked up. */
export function suspectsOf({ words }: ParsedQuery, mayBeUnknown: (index: number) => boolean): Neighbour[] {
  const suspects = words.filter((word, index) => hasSpelling(word) && mayBeUnknown(index)) as Neighbour[];
  return suspects.slice(0, mostSuspects);
}

/**
 * What may have been meant by words that no visible document has, by one edit. `everything` is the same search without
 * its filters: a word that exists elsewhere is spelled as intended. Nothing here depends on a hidden document.
 */
export async function findCorrections(
  transaction: TenantTransaction,
  query: SearchQuery,
  everything: SearchQuery,
  statistics: Statistics,
  suspects: readonly Neighbour[],
): Promise<Correction[]> {
  const unknown = await findUnknownWords(transaction, everything, suspects);
  const corrections: Correction[] = [];
  for (const word of unknown.slice(0, mostWords)) {
    const neighbours = await findNeighbours(transaction, query, word);
    const frequencies = await countEach(transaction, query, statistics, neighbours);
    const also = neighbours
      .map(({ spelling }, index) => ({ spelling, documents: frequencies[index] ?? 0 }))
      .sort((left, right) => right.documents - left.documents)
      .slice(0, mostUsed)
      .map(({ spelling }) => spelling);
    if (also.length > 0) corrections.push({ word: word.spelling, also });
  }
  return corrections;
}

function hasSpelling(word: QueryWord): boolean {
  return word.spelling !== undefined && word.body.length > 0;
}

async function countEach(
  transaction: TenantTransaction,
  query: SearchQuery,
  statistics: Statistics,
  words: readonly QueryWord[],
): Promise<number[]> {
  if (words.length === 0) return [];
  const alone = { ...query, parsed: { ...query.parsed, words: [...words] } };
  return countWords(transaction, alone, statistics, { shown: true });
}
