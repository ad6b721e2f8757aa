import { type RawBuilder, sql } from "kysely";
import { anyOf, type PhraseQuery, phraseQueries, type WordQuery } from "../query/query-words.ts";
import { visibleDocuments } from "../visibility/visible-documents.ts";
import { type Meaning, nearFiles } from "./fuse.ts";
import { mostCandidates, type SearchQuery } from "./search-query.ts";
import type { Statistics } from "./statistics.ts";
import { anyOfNeeded, type RankedWord } from "./word-score.ts";

export interface Choice {
  /** A candidate has at least one of these; undefined if the query has only filters. */
  driver: PhraseQuery | undefined;
  /** An upper bound of the documents that have it, as far as known. */
  found: number;
  isComplete: boolean;
}

/** The rarest words until there are enough documents; the first phrase if there is one. */
export function chooseCandidates(
  words: readonly WordQuery[],
  phrases: readonly PhraseQuery[],
  frequencies: readonly number[],
): Choice {
  const [phrase] = phrases;
  // Few documents have its words in a row, whatever they are: the index finds those that have all of them.
  if (phrase) return { driver: phrase, found: 0, isComplete: true };
  // Words that only rank (a stop word, a single character of a longer run) never make a hit.
  const found = words
    .map((word, index) => ({ word, frequency: frequencies[index] ?? 0 }))
    .filter(({ word }) => word.isNeeded);
  const chosen: WordQuery[] = [];
  let sum = 0;
  for (const { word, frequency } of found.sort((left, right) => left.frequency - right.frequency)) {
    if (sum > 0 && sum + frequency > mostCandidates) break;
    chosen.push(word);
    sum += frequency;
  }
  return {
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
function wayTo(found: number, { documents, all, reach }: Statistics): "words" | "newest" | "places" {
  if (documents === 0) return "words";
  const share = Math.min(1, found / documents);
  const read = Math.min(share * documents, mostCandidates);
  const byWords = 0.1 * share * all + (reach === "index" ? 0.1 * documents + read : read * (all / documents));
  const byPlaces = 2 * Math.min(documents, mostCandidates / share);
  const byNewest = byPlaces + Math.min(all, (mostCandidates / share) * (all / documents)) * 0.5;
  if (byWords <= Math.min(byPlaces, byNewest)) return "words";
  return documents > 0.5 * all ? "newest" : "places";
}

/** Documents found by words, plus files found by meaning. */
export function candidates(
  query: SearchQuery,
  words: readonly RankedWord[],
  choice: Choice,
  statistics: Statistics,
  meaning: Meaning | undefined,
) {
  if (!meaning) return byWords(query, words, choice, statistics, sql`candidate`);
  const { parsed, source } = query;
  const ids = meaning.files.map(({ id }) => id);
  const isAlone = meaning.weight === 1;
  const conditions = [
    sql`document.id = any(${ids}::uuid[])`,
    // The conditions on words also apply to files found by meaning, if words were searched.
    // guard: phrases-by-meaning
    ...phraseQueries(parsed.phrases).map((phrase) => has(phrase, true)),
    // guard: excluded-words-by-meaning
    ...phraseQueries(parsed.excluded).map((phrase) => sql`${has(phrase, true)} is not true`),
  ];
  const near = sql`
    select document.*, ${isAlone ? sql`false` : anyOfNeeded(words)} as is_worded, near.similarity
    from (
      select ${rankedColumns(query, words)} ${visibleDocuments({ ...source, reach: "row" })}
        and ${sql.join(conditions, sql` and `)}) as document
    join near on near.id = document.id`;
  if (isAlone) return sql`${nearFiles(meaning)}, candidate as materialized (${near})`;
  return sql`
    ${nearFiles(meaning)}, ${byWords(query, words, choice, statistics, sql`worded`)},
    candidate as materialized (
      select worded.*, true as is_worded, near.similarity from worded left join near on near.id = worded.id
      union all ${near} where document.id not in (select id from worded))`;
}

function has({ body, name }: PhraseQuery, content: boolean) {
  return content
    ? sql`(document.name_tsv @@ ${name}::tsquery or document.body_tsv @@ ${body}::tsquery)`
    : sql`(document.name_tsv @@ ${name}::tsquery)`;
}

/** Each with its ranking values, and without its terms: those of 2,000 documents are megabytes to store. */
function rankedColumns({ parsed }: SearchQuery, words: readonly RankedWord[]) {
  const ranks = words.map(
    ({ name, inName, inText, rank }) =>
      sql`coalesce(document.name_tsv @@ ${name}::tsquery, false) as ${inName}, ${inText} as ${rank}`,
  );
  return sql`document.id, document.entity_type, document.name_length, document.body_length, document.updated_at,
      document.whole_name = ${parsed.wholeName} as is_named ${sql.join([sql``, ...ranks])}`;
}

function byWords(
  query: SearchQuery,
  words: readonly RankedWord[],
  choice: Choice,
  statistics: Statistics,
  candidate: RawBuilder<unknown>,
) {
  const { parsed, content, source } = query;
  const { driver, found } = choice;
  const excluded = phraseQueries(parsed.excluded);
  const [, ...phrases] = phraseQueries(parsed.phrases);
  const way = source.reach === "place" ? "places" : wayTo(found, statistics);
  const conditions = [
    // As a truth value no index can serve it.
    ...(driver ? [way === "words" ? has(driver, content) : sql`${has(driver, content)} is true`] : []),
    ...phrases.map((phrase) => has(phrase, content)),
    ...excluded.map((phrase) => sql`${has(phrase, content)} is not true`),
  ];
  const reaches = { words: source.reach, places: "place", newest: "row" } as const;
  const matching = sql`
    select ${rankedColumns(query, words)}
    ${visibleDocuments({ ...source, reach: reaches[way] })}
    ${conditions.length > 0 ? sql`and ${sql.join(conditions, sql` and `)}` : sql``}`;
  // The plan must not see the bound: for the first 2,000 of what it thinks are many, PostgreSQL would scan everything.
  if (driver && way === "words") {
    return sql`
      matching as materialized (${matching}),
      ${candidate} as materialized (select * from matching limit ${mostCandidates})`;
  }
  const order = driver ? sql`document.id desc` : sql`document.updated_at desc, document.id desc`;
  return sql`
    ${candidate} as materialized (
      ${matching} ${driver && way === "places" ? sql`` : sql`order by ${order}`} limit ${mostCandidates})`;
}
