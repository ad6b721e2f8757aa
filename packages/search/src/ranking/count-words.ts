import type { TenantTransaction } from "@svc/database/database";
import { plannedAnew } from "@svc/database/statement-name";
import { sql } from "kysely";
import type { ParsedQuery } from "../query/parse-query.ts";
import { type WordQuery, wordQueries } from "../query/query-words.ts";
import { type Source, visibleDocuments, visiblePlaces } from "../visibility/visible-documents.ts";
import { mostCandidates, type SearchQuery } from "./search-query.ts";
import type { Statistics } from "./statistics.ts";

/**
 * The number of visible documents that have each word, if it matters: it does not affect the order of hits for one
 * word, and is counted then only if it is `shown`.
 */
export async function countWords(
  transaction: TenantTransaction,
  { parsed, content, source }: SearchQuery,
  statistics: Statistics,
  options: { shown: boolean },
): Promise<number[]> {
  const words = wordQueries(parsed);
  const shares = words.map((_, index) => commonShare(parsed, index, content, statistics));
  const matters = words.length > 1 || options.shown;
  const counted = await countEach(
    transaction,
    source,
    words.map((word, index) => (matters && shares[index] === undefined ? word : undefined)),
    content,
  );
  return counted.map((count, index) => Math.round((shares[index] ?? 0) * statistics.documents) || count);
}

/** The weight of each word: BM25's idf times how often it was typed. */
export function weighWords(parsed: ParsedQuery, documents: number, frequencies: readonly number[]): number[] {
  return wordQueries(parsed).map(({ count }, index) => {
    const frequency = frequencies[index] ?? 0;
    const all = Math.max(documents, frequency);
    return count * Math.log(1 + (all - frequency + 0.5) / (frequency + 0.5));
  });
}

function commonShare(
  { words }: ParsedQuery,
  index: number,
  content: boolean,
  { commonInText, commonInNames }: Statistics,
): number | undefined {
  const word = words[index];
  const inNames = word?.name.map(([term, more]) =>
    more === undefined && term ? commonInNames.get(term) : undefined,
  );
  const inTexts = content ? word?.body.map((term) => commonInText.get(term)) : [];
  const shares = [...(inNames ?? []), ...(inTexts ?? [])];
  const found = shares.filter((share) => share !== undefined);
  return found.length > 0 ? Math.max(...found) : undefined;
}

async function countEach(
  { db, tenantId }: TenantTransaction,
  source: Source,
  words: readonly (WordQuery | undefined)[],
  content: boolean,
): Promise<number[]> {
  const asked = words.flatMap((word, index) => (word ? [{ ...word, index }] : []));
  const frequencies = words.map(() => 0);
  if (asked.length === 0) return frequencies;
  const matches = content
    ? sql`(document.name_tsv @@ word.name or document.body_tsv @@ word.body)`
    : sql`document.name_tsv @@ word.name`;
  const places = visiblePlaces(tenantId, source.visibility, source.filters);
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
  const { rows } = await sql<{ index: number; found: number }>`
    ${plannedAnew} with ${places} ${read}
    select word.index, (
      select count(*) from (select ${documents} limit ${mostCandidates + 1}) as found) as found
    from unnest(${asked.map(({ index }) => index)}::int[], ${asked.map(({ name }) => name)}::tsquery[],
      ${asked.map(({ body }) => body)}::tsquery[]) as word (index, name, body)`.execute(db);
  for (const { index, found } of rows) frequencies[index] = found;
  return frequencies;
}
