import type { TenantTransaction } from "@svc/database/database";
import { plannedAnew } from "@svc/database/statement-name";
import { type RawBuilder, sql } from "kysely";
import { sampleMark } from "../index/sample-marks.ts";
import type { PhraseQuery } from "../query/query-words.ts";
import { type Source, visibleDocuments, visiblePlaces } from "../visibility/visible-documents.ts";

/** A sample has at most about this many documents, and at least half as many if the caller sees more. */
export const mostSampled = 2_048;

export interface Sampled {
  /** How many documents the caller sees. */
  documents: number;
  /** Instead of the usual size: tests sample few documents. */
  mostSampled?: number | undefined;
}

export interface SampleCounts {
  /** Sampled documents that pass the filters of the source. */
  size: number;
  /** How many visible documents each of them stands for; 1 if the sample is all of them. */
  each: number;
  /** For each query and its narrower ones, how many of the sample match it in name or text. */
  found: number[];
}

/** Texts of tsqueries. */
export interface SampleQuery extends PhraseQuery {
  /** Only documents there count. */
  places?: readonly string[];
  /** Each is counted among the documents that match the one before: few documents are compared with all of them. */
  narrower?: readonly PhraseQuery[];
}

/**
 * Counts queries among a sample of the documents that the caller may see, in one statement.
 *
 * - Its work does not grow with the tenant: the sample has a fixed size, whatever the caller sees.
 * - Hidden documents change nothing: which documents are sampled follows from their ids and from how many documents
 *   the caller sees (`statistics.documents`).
 * - The same documents are sampled for every query, and while nothing visible changes: counts can be compared.
 * - Up to `mostSampled` visible documents, counts are exact.
 * - With `among` only documents whose text matches that are counted.
 */
export async function countInSample(
  { db, tenantId }: TenantTransaction,
  source: Source,
  sampled: Sampled,
  queries: readonly SampleQuery[],
  { among }: { among?: string } = {},
): Promise<SampleCounts> {
  const level = sampleLevel(sampled);
  const places = visiblePlaces(tenantId, source.visibility, source.filters);
  const isAmong = among === undefined ? sql`true` : sql`document.body_tsv @@ ${among}::tsquery`;
  // guard: sample-of-visible
  const visible = visibleDocuments(source);
  const steps = queries.map(({ narrower = [], ...query }) => [query, ...narrower]);
  const reached = steps.map((each, index) => sql`${stepOf(each)} as ${column(index)}`);
  const counts = steps.flatMap((each, index) =>
    each.map((_, step) => sql`count(*) filter (where ${column(index)} > ${sql.lit(step)})`),
  );
  const { rows } = await sql<Pick<SampleCounts, "size" | "found">>`
    ${plannedAnew} with ${places}
    select count(*) as size, array[${sql.join(counts)}]::int[] as found
    from (
      select ${sql.join(reached)}
      from (
        select document.place_id, document.name_tsv, ${whole} as body_tsv ${visible} and ${isSampled(sampled)} and ${isAmong}
        offset 0) as document
      offset 0) as compared`.execute(db);
  const { size, found } = rows[0] ?? { size: 0, found: [] };
  return { size, each: 2 ** level, found };
}

/** Of a `document`, for a caller who sees so many. */
export function isSampled(sampled: Sampled): RawBuilder<boolean> {
  const level = sampleLevel(sampled);
  return level === 0 ? sql<boolean>`true` : sql<boolean>`document.body_tsv @@ ${sampleMark(level)}::tsquery`;
}

/** Level k has one document in 2^k. Level 0 has all. */
export function sampleLevel({ documents, mostSampled: most = mostSampled }: Sampled): number {
  return Math.max(0, Math.ceil(Math.log2(documents / most)));
}

/** Long texts are not in the row: each is fetched once, not once for each query. */
const whole = sql`case when pg_column_size(document.body_tsv) > 8000 then document.body_tsv || ''::tsvector
  else document.body_tsv end`;

/** How many of the queries a `document` matches, before the first that it does not match. */
function stepOf(queries: readonly SampleQuery[]): RawBuilder<number> {
  const cases = queries.map((query, step) => sql`when ${matches(query)} is not true then ${sql.lit(step)}`);
  return sql`case ${sql.join(cases, sql` `)} else ${sql.lit(queries.length)} end`;
}

function matches({ name, body, places }: SampleQuery): RawBuilder<boolean> {
  const isThere = places ? sql`and document.place_id = any(${[...places]}::uuid[])` : sql``;
  return sql`((document.name_tsv @@ ${name}::tsquery or document.body_tsv @@ ${body}::tsquery) ${isThere})`;
}

function column(index: number): RawBuilder<unknown> {
  return sql.ref(`reached_${index}`);
}
