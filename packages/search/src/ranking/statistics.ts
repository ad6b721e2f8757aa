import type { TenantTransaction } from "@svc/database/database";
import { plannedAnew } from "@svc/database/statement-name";
import { sql } from "kysely";
import { onShelves } from "../index/shelf.ts";
import { VisibilityCache } from "../visibility/visibility-cache.ts";
import { type Reach, type Source, visibleDocuments, visiblePlaces } from "../visibility/visible-documents.ts";

/**
 * What ranking needs to know about the documents that a caller may see, and no others: hidden documents must not
 * change the caller's answers.
 */
export interface Statistics {
  documents: number;
  /** All documents of the tenant, visible or not: affects how to search, but not the answer. */
  all: number;
  averageLength: number;
  /** Frequent words: their share in a sample. Counting these each time would take longest. */
  commonInText: ReadonlyMap<string, number>;
  commonInNames: ReadonlyMap<string, number>;
  reach: Reach;
}

/** Up to this number all matches are ranked and counted exactly. */
const few = 3_000;
/** Above, words are sampled. */
const many = 20_000;
const sampled = { stretches: 50, ofEach: 20 };
/** A word in this many documents of the sample is common: the error of its share is a quarter or less. */
const leastSampled = 15;

/** How long to cache, in milliseconds: for few documents, which are quickly counted, and for many. */
const remembered = { fewFor: 20_000, manyFor: 600_000 };

/** Cached for a while: they change slowly, and slightly old ones rank just as well. */
export class StatisticsCache {
  readonly #byVisibility: VisibilityCache<Statistics>;
  readonly #remembered: typeof remembered;

  constructor({ entries, ...options }: Partial<typeof remembered & { entries: number }> = {}) {
    this.#byVisibility = new VisibilityCache(entries);
    this.#remembered = { ...remembered, ...options };
  }

  of(transaction: TenantTransaction, source: Omit<Source, "reach">): Promise<Statistics> {
    const { fewFor, manyFor } = this.#remembered;
    return this.#byVisibility.of(
      transaction,
      source.visibility,
      () => readStatistics(transaction, source),
      ({ documents }) => (documents > many ? manyFor : fewFor),
    );
  }
}

async function readStatistics(
  transaction: TenantTransaction,
  source: Omit<Source, "reach">,
): Promise<Statistics> {
  const { db, tenantId } = transaction;
  const places = visiblePlaces(tenantId, source.visibility, source.filters);
  // guard: lengths-of-visible
  const { rows } = await sql<{ documents: number; length: number; all: number; places: number }>`
    ${plannedAnew} with ${places},
    counted as materialized (
      select document.body_length from place
      join app.searchable as document
        on document.tenant_id = ${tenantId} and document.place_id = place.id and ${onShelves("document.shelf_id", source.shelves)}
      limit ${many + 1})
    select count(*) as documents, coalesce(avg(body_length), 0)::float8 as length,
      (select count(*) from (
        select from app.searchable where tenant_id = ${tenantId} and ${onShelves("shelf_id", source.shelves)} limit ${many + 1}))
        as "all", (select count(*) from place) as places
    from counted`.execute(db);
  const { documents, length, all, places: seen } = rows[0] ?? { documents: 0, length: 0, all: 0, places: 0 };
  const lookedThrough = seen + source.visibility.doorIds.length;
  const averageLength = Math.max(1, length);
  if (documents <= many) {
    return {
      documents,
      all,
      averageLength,
      commonInText: new Map(),
      commonInNames: new Map(),
      reach: reachOf(documents, all, lookedThrough),
    };
  }
  const sampled = await sampleWords(transaction, source);
  return { ...sampled, averageLength, reach: reachOf(sampled.documents, sampled.all, lookedThrough) };
}

/** Each is searched separately in the index; if the index is not used, each row is compared with each. */
const fewPlaces = 500;

function reachOf(documents: number, all: number, places: number): Reach {
  if (documents <= few && all > 5 * documents) return "place";
  return documents < 0.4 * all && places <= fewPlaces ? "index" : "row";
}

/** Runs of consecutive documents, evenly spread from the first to the last that the caller sees. */
async function sampleWords(
  { db, tenantId }: TenantTransaction,
  source: Omit<Source, "reach">,
): Promise<Pick<Statistics, "documents" | "all" | "commonInText" | "commonInNames">> {
  const places = visiblePlaces(tenantId, source.visibility, source.filters);
  const visible = visibleDocuments({ ...source, reach: "row" });
  const { rows: ends } = await sql<{ first: string; last: string; documents: number; all: number }>`
    ${plannedAnew} with ${places}
    select (select document.id ${visible} order by document.id limit 1) as first,
      (select document.id ${visible} order by document.id desc limit 1) as last,
      (select count(*) from app.searchable as document
       where document.tenant_id = ${tenantId} and ${onShelves("document.shelf_id", source.shelves)}
         and document.place_id in (select id from place)) as documents,
      (select count(*) from app.searchable as document
       where document.tenant_id = ${tenantId} and ${onShelves("document.shelf_id", source.shelves)}) as "all"`.execute(
    db,
  );
  const [end] = ends;
  if (!end) return { documents: 0, all: 0, commonInText: new Map(), commonInNames: new Map() };
  const { rows } = await sql<{ inText: boolean; word: string; found: number; sampled: number }>`
    ${plannedAnew} with ${places},
    sample as materialized (
      select document.body_tsv, document.name_tsv
      from unnest(${startsBetween(end.first, end.last)}::uuid[]) as start (id)
      cross join lateral (
        select document.body_tsv, document.name_tsv ${visible} and document.id >= start.id
        order by document.id limit ${sampled.ofEach}) as document)
    select in_text as "inText", word, count(*) as found, (select count(*) from sample) as sampled
    from (
      select true as in_text, unnest(tsvector_to_array(body_tsv)) as word from sample
      union all select false, unnest(tsvector_to_array(name_tsv)) from sample) as words
    group by in_text, word having count(*) >= ${leastSampled}`.execute(db);
  const common = (inText: boolean) =>
    new Map(rows.filter((row) => row.inText === inText).map((row) => [row.word, row.found / row.sampled]));
  return { documents: end.documents, all: end.all, commonInText: common(true), commonInNames: common(false) };
}

/** Ids begin with their time, so values spread evenly between two ids are spread evenly in time. */
function startsBetween(first: string, last: string): string[] {
  const timeOf = (id: string) => Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);
  const begin = timeOf(first);
  const step = (timeOf(last) - begin) / sampled.stretches;
  return Array.from({ length: sampled.stretches }, (_, index) => {
    if (index === 0) return first;
    const hex = Math.floor(begin + index * step)
      .toString(16)
      .padStart(12, "0");
    return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
  });
}
