import { type RawBuilder, sql } from "kysely";
import {
  anyOf,
  looseOf,
  type PhraseInRow,
  type PhraseQuery,
  phraseQueries,
  type WordQuery,
} from "../query/query-words.ts";
import { visibleDocuments } from "../visibility/visible-documents.ts";
import { has, hasInRow, rankedColumns } from "./candidates.ts";
import type { SearchQuery } from "./search-query.ts";
import type { Statistics } from "./statistics.ts";
import type { RankedWord } from "./word-score.ts";

export interface Choice {
  /** How many documents are ranked. */
  most: number;
  /** A candidate has at least one of these; undefined if the query has only filters. */
  driver: PhraseQuery | undefined;
  /** An upper bound of the documents that have it, as far as known. */
  found: number;
  isComplete: boolean;
}

/** The rarest words until there are enough documents; the words of the first phrase if there is one. */
export function chooseCandidates(
  words: readonly WordQuery[],
  phrases: readonly PhraseInRow[],
  frequencies: readonly number[],
  { documents }: Pick<Statistics, "documents">,
  most: number,
): Choice {
  const [phrase] = phrases;
  // Few documents have its words in a row, whatever they are: the index finds those that have all of them.
  if (phrase) return { most, driver: looseOf(phrase), found: 0, isComplete: true };
  // Words that only rank (a stop word, a single character of a longer run) never make a hit.
  const found = words
    .map((word, index) => ({ word, frequency: frequencies[index] ?? 0 }))
    .filter(({ word }) => word.isNeeded);
  const chosen: WordQuery[] = [];
  let sum = 0;
  for (const { word, frequency } of found.sort((left, right) => left.frequency - right.frequency)) {
    if (sum > 0 && Math.min(sum + frequency, documents) > most) break;
    chosen.push(word);
    sum += frequency;
  }
  return {
    most,
    driver:
      chosen.length === 0
        ? undefined
        : { body: anyOf(chosen.map(({ body }) => body)), name: anyOf(chosen.map(({ name }) => name)) },
    found: sum,
    isComplete: chosen.length === found.length,
  };
}

/**
 * Three ways to find candidates. The word index first gathers all documents with the word: best unless most have it.
 * Otherwise document by document until there are enough, the newest first; or place by place, for callers who see
 * only a part. The costs are microseconds, measured (ADR 23).
 */
function wayTo(
  { found, most }: Choice,
  { documents, all, reach }: Statistics,
): "words" | "newest" | "places" {
  if (documents === 0) return "words";
  const share = Math.min(1, found / documents);
  const read = Math.min(share * documents, most);
  const byWords = 0.1 * share * all + (reach === "index" ? 0.1 * documents + read : read * (all / documents));
  const byPlaces = 2 * Math.min(documents, most / share);
  const byNewest = byPlaces + Math.min(all, (most / share) * (all / documents)) * 0.5;
  if (byWords <= Math.min(byPlaces, byNewest)) return "words";
  return documents > 0.5 * all ? "newest" : "places";
}

/** At most `most` of them, ranked or not: the newest, if most documents match. */
export function chosenCandidates(
  query: SearchQuery,
  words: readonly RankedWord[],
  choice: Choice,
  statistics: Statistics,
  candidate: RawBuilder<unknown>,
) {
  const { parsed, content, source } = query;
  const { driver, most } = choice;
  const excluded = phraseQueries(parsed.excluded);
  const [first, ...phrases] = phraseQueries(parsed.phrases);
  const way = source.reach === "place" ? "places" : wayTo(choice, statistics);
  const conditions = [
    // As a truth value no index can serve it.
    ...(driver ? [way === "words" ? has(driver, content) : sql`${has(driver, content)} is true`] : []),
    ...(first ? [sql`${has(first, content)} is true`] : []),
    ...phrases.map((phrase) => hasInRow(phrase, content)),
    ...excluded.map((phrase) => sql`${has(phrase, content)} is not true`),
  ];
  const reaches = { words: source.reach, places: "place", newest: "row" } as const;
  const matching = sql`
    select ${rankedColumns(query, words)}
    ${visibleDocuments({ ...source, reach: reaches[way] })}
    ${conditions.length > 0 ? sql`and ${sql.join(conditions, sql` and `)}` : sql``}`;
  // The plan must not see the bound: for the first few of what it thinks are many, PostgreSQL would scan everything.
  if (driver && way === "words") {
    return sql`
      matching as materialized (${matching}),
      ${candidate} as materialized (select * from matching limit ${most})`;
  }
  const order = driver ? sql`document.id desc` : sql`document.updated_at desc, document.id desc`;
  return sql`
    ${candidate} as materialized (
      ${matching} ${driver && way === "places" ? sql`` : sql`order by ${order}`} limit ${most})`;
}
