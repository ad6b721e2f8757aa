import type { TenantTransaction } from "@svc/database/database";
import { plannedAnew } from "@svc/database/statement-name";
import { type RawBuilder, sql } from "kysely";
import { visibleDocuments, visiblePlaces } from "../../visibility/visible-documents.ts";
import { rankedColumns } from "../candidates.ts";
import { isHit } from "../match-conditions.ts";
import { type RankedDocument, type Ranking, rankCandidates } from "../rank-candidates.ts";
import type { RankedPage } from "../ranked-page.ts";
import { isSampled } from "../sample.ts";
import type { RankedQuery } from "../search-query.ts";
import type { Statistics } from "../statistics.ts";
import { type RankedWord, rankedWords } from "../word-score.ts";

/** What hits are sorted by instead of relevance: a value of a `document`, of equal ones by id. */
export interface SortOrder {
  key: RawBuilder<unknown>;
  type: "bigint" | "text";
  isDescending: boolean;
}

/** Where a page ended. */
export interface SortPlace {
  sortKey: string | number;
  id: string;
}

interface DocumentsToSort {
  order: SortOrder;
  ranking: Ranking;
  statistics: Statistics;
  after?: SortPlace | undefined;
  limit: number;
}

export type SortedDocument = RankedDocument & { sortKey: string | number };

/** All hits, by their keys: nothing is ranked but what is shown, so that many take little time. */
export async function sortDocuments(
  transaction: TenantTransaction,
  query: RankedQuery,
  { order, ranking, statistics, after, limit }: DocumentsToSort,
): Promise<Omit<RankedPage, "documents"> & { documents: SortedDocument[] }> {
  const { db, tenantId } = transaction;
  const { source } = query;
  const words = rankedWords(query, ranking.weights);
  const type = order.type === "bigint" ? sql`bigint` : sql`text collate "C"`;
  const [direction, isAfter] = order.isDescending ? [sql`desc`, sql`<`] : [sql`asc`, sql`>`];
  // guard: sorted-of-visible
  const visible = visibleDocuments(source);
  const { rows } = await sql<{ id: string | null; sortKey: string | number; candidates: number }>`
    ${plannedAnew} with ${visiblePlaces(tenantId, source.visibility, source.filters)},
    matching as materialized (
      select document.id, ${order.key}::${type} as sort_key ${visible} and ${isHit(query, words)}
        ${query.isSampled ? sql`and ${isSampled(statistics)}` : sql``})
    select page.id, page.sort_key as "sortKey", counted.candidates
    from (select count(*) as candidates from matching) as counted
    left join (
      select * from matching
      ${after ? sql`where (sort_key, id) ${isAfter} (${after.sortKey}::${type}, ${after.id}::uuid)` : sql``}
      order by sort_key ${direction}, id ${direction} limit ${limit}) as page on true
    order by sort_key ${direction}, id ${direction}`.execute(db);
  const found = rows.flatMap(({ id, sortKey }) => (id === null ? [] : [{ id, sortKey }]));
  const ids = found.map(({ id }) => id);
  const ranked = await rankThese(transaction, query, words, ranking, ids);
  const isComplete = !query.isSampled;
  return {
    documents: found.flatMap(({ id, sortKey }) => {
      const document = ranked.get(id);
      return document ? [{ ...document, sortKey }] : [];
    }),
    bounds: undefined,
    candidates: rows[0]?.candidates ?? 0,
    isComplete,
    isExact: isComplete,
    isTimedOut: !isComplete,
  };
}

/** What each of a page has of the query. */
async function rankThese(
  transaction: TenantTransaction,
  query: RankedQuery,
  words: readonly RankedWord[],
  ranking: Ranking,
  ids: readonly string[],
): Promise<ReadonlyMap<string, RankedDocument>> {
  if (ids.length === 0) return new Map();
  const these = sql`
    select ${rankedColumns(query, words)} ${visibleDocuments({ ...query.source, reach: "row" })}
      and document.id = any(${[...ids]}::uuid[])`;
  const { documents } = await rankCandidates(transaction, query, {
    ...{ words, ranking, limit: ids.length, isWordless: false },
    byWords: (name) => sql`${name} as materialized (${these})`,
  });
  return new Map(documents.map((document) => [document.id, document]));
}
