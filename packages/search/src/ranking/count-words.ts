import type { TenantTransaction } from "@svc/database/database";
import { plannedAnew } from "@svc/database/statement-name";
import { sql } from "kysely";
import type { ParsedQuery } from "../query/parse-query.ts";
import { type PhraseQuery, wordQueries } from "../query/query-words.ts";
import {
  findPathPlaces,
  type PathPlaces,
  pathPlaces,
  wordsOfFolders,
} from "../visibility/find-path-places.ts";
import { type Source, visibleDocuments, visiblePlaces } from "../visibility/visible-documents.ts";
import { withinTime } from "../visibility/within-time.ts";
import { countInSample, mostSampled, sampleLevel } from "./sample.ts";
import type { SearchQuery } from "./search-query.ts";
import { type Statistics, statisticsMillis } from "./statistics.ts";

/** A word in 15 documents of a usual sample is common: the error of its share is a quarter or less. */
const leastShare = 15 / mostSampled;
/** Others are counted up to this number. */
const mostCounted = 2_001;

/**
 * The number of visible documents that have each word: of common words estimated from a sample, of others counted. The
 * order of hits for one word does not depend on it, so that is counted only if it is `shown`. If time runs out, the
 * estimates count; a word that is rare among visible documents may be common among hidden ones, which takes long.
 */
export async function countWords(
  transaction: TenantTransaction,
  { parsed, content, source }: SearchQuery,
  statistics: Statistics,
  options: { shown: boolean },
): Promise<number[]> {
  const asked = askedWords({ parsed, content });
  const estimates = await estimateEach(transaction, source, statistics, asked);
  if (asked.length <= 1 && !options.shown) return estimates.map(({ documents }) => documents);
  const rare = asked.map((word, index) => (estimates[index]?.isCommon ? undefined : word));
  const counted = await inTime(transaction, statistics, () => countEach(transaction, source, rare));
  if (!counted) return estimates.map(({ documents }) => documents);
  return estimates.map(({ documents, isCommon }, index) => {
    const count = counted.frequencies[index] ?? 0;
    const isCounted = !isCommon && count < mostCounted;
    return isCounted ? count : Math.max(documents, count);
  });
}

interface WordLookup {
  frequencies: number[];
  /** Undefined if they could not be found in time. */
  paths: PathPlaces | undefined;
}

/** Counts words, and looks for them in the names of folders: for callers who see few documents, in one statement. */
export async function lookUpWords(
  transaction: TenantTransaction,
  query: SearchQuery,
  statistics: Statistics,
  options: { shown: boolean },
): Promise<WordLookup> {
  const { parsed, source } = query;
  const folderWords = wordsOfFolders(parsed);
  const { within, notWithin } = source.filters;
  if (folderWords && sampleLevel(statistics) === 0 && !within && !notWithin)
    return countEach(transaction, source, askedWords(query), folderWords);
  return {
    frequencies: await countWords(transaction, query, statistics, options),
    paths: await findPathsInTime(transaction, parsed, source, statistics),
  };
}

/** Undefined if it takes too long: a folder of a large tenant may have a million others below it. */
export function findPathsInTime(
  transaction: TenantTransaction,
  parsed: ParsedQuery,
  source: Source,
  statistics: Statistics,
): Promise<PathPlaces | undefined> {
  if (!wordsOfFolders(parsed)) return Promise.resolve([]);
  return inTime(transaction, statistics, () => findPathPlaces(transaction, parsed, source));
}

function askedWords({ parsed, content }: Pick<SearchQuery, "parsed" | "content">): PhraseQuery[] {
  return wordQueries(parsed).map(({ name, body }) => ({ name, body: content ? body : null }));
}

interface Estimate {
  documents: number;
  isCommon: boolean;
}

async function estimateEach(
  transaction: TenantTransaction,
  source: Source,
  statistics: Statistics,
  words: readonly PhraseQuery[],
): Promise<Estimate[]> {
  if (sampleLevel(statistics) === 0) return words.map(() => ({ documents: 0, isCommon: false }));
  const sample = await inTime(transaction, statistics, () =>
    countInSample(transaction, source, statistics, words),
  );
  const { found, each } = sample ?? { found: words.map(() => 0), each: 1 };
  const leastSampled = Math.max(1, leastShare * (statistics.mostSampled ?? mostSampled));
  return found.map((count) => ({ documents: count * each, isCommon: count >= leastSampled }));
}

/** Few documents are read at once. */
async function inTime<T>(
  transaction: TenantTransaction,
  statistics: Statistics,
  work: () => Promise<T>,
): Promise<T | undefined> {
  return sampleLevel(statistics) === 0 ? work() : withinTime(transaction, statisticsMillis, work);
}

/** The weight of each word: BM25's idf times how often it was typed. */
export function weighWords(parsed: ParsedQuery, documents: number, frequencies: readonly number[]): number[] {
  return wordQueries(parsed).map(({ count }, index) => {
    const frequency = frequencies[index] ?? 0;
    const all = Math.max(documents, frequency);
    return count * Math.log(1 + (all - frequency + 0.5) / (frequency + 0.5));
  });
}

async function countEach(
  { db, tenantId }: TenantTransaction,
  source: Source,
  words: readonly (PhraseQuery | undefined)[],
  folderWords?: readonly (string | null)[],
): Promise<WordLookup> {
  const asked = words.flatMap((word, index) => (word ? [{ ...word, index }] : []));
  if (asked.length === 0) return { frequencies: words.map(() => 0), paths: [] };
  const matches = sql`(document.name_tsv @@ word.name or document.body_tsv @@ word.body)`;
  const seenPlaces = visiblePlaces(tenantId, source.visibility, source.filters);
  // All words are rare: reading the documents that have one is faster than gathering the caller's places.
  const visible = visibleDocuments({ ...source, reach: source.reach === "place" ? "place" : "row" });
  // For callers who see few documents, these are read once, and each word is searched in them.
  // guard: words-of-visible
  const [read, documents] =
    source.reach === "place"
      ? [
          sql`, seen as materialized (select document.name_tsv, document.body_tsv ${visible})`,
          sql`from seen as document where ${matches}`,
        ]
      : [sql``, sql`${visible} and ${matches}`];
  const [paths, places] = folderWords
    ? [
        sql`, ${pathPlaces(source, folderWords)}`,
        sql`array(select id from path_place where path_place.index = word.index)`,
      ]
    : [sql``, sql`null::uuid[]`];
  const { rows } = await sql<{ index: number; found: number; places: string[] | null }>`
    ${plannedAnew} with recursive ${seenPlaces} ${read} ${paths}
    select word.index, ${places} as places, (
      select count(*) from (select ${documents} limit ${mostCounted}) as found) as found
    from unnest(${asked.map(({ index }) => index)}::int[], ${asked.map(({ name }) => name)}::tsquery[],
      ${asked.map(({ body }) => body)}::tsquery[]) as word (index, name, body)`.execute(db);
  const byIndex = new Map(rows.map((row) => [row.index, row]));
  return {
    frequencies: words.map((_, index) => byIndex.get(index)?.found ?? 0),
    paths: words.map((_, index) => byIndex.get(index)?.places ?? []),
  };
}
