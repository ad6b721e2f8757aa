import type { TenantTransaction } from "@svc/database/database";
import { plannedAnew } from "@svc/database/statement-name";
import { sql } from "kysely";
import { sampleMark } from "../../index/sample-marks.ts";
import { type QueryClock, yearStarts } from "../../query/read-day.ts";
import type { TypedDocument } from "../../query/type-families.ts";
import { visibleDocuments, visiblePlaces } from "../../visibility/visible-documents.ts";
import type { Meaning } from "../fuse.ts";
import { isHit } from "../match-conditions.ts";
import type { SearchQuery } from "../search-query.ts";
import { rankedWords } from "../word-score.ts";

/** How many hits there are of each kind. */
export interface FacetCounts {
  /** Each counted hit stands for so many; 1 if all were counted. */
  each: number;
  types: (TypedDocument & { hits: number })[];
  workspaces: { id: string; hits: number }[];
  owners: { id: string; hits: number }[];
  years: { year: number; hits: number }[];
}

interface Counting {
  meaning?: Meaning | undefined;
  /** When years begin: PostgreSQL may know other time zones than we do. */
  clock: QueryClock;
  /** One hit in 2^level is counted. */
  level: number;
}

/** Of each facet, the most frequent. Whoever has more endings than this gets counts of the usual ones. */
const mostValues = 2_000;

/** What is older counts as of the year before. */
const firstYear = 1970;

/** About how many are read. More would be more exact, and take longer (ADR 65). */
const mostCounted = 25_000;

/** So that about `mostCounted` of so many hits are read. */
export function facetLevel(hits: number): number {
  return Math.max(0, Math.ceil(Math.log2(hits / mostCounted)));
}

/** Counts what the caller can see, in one statement: of few hits all, of many a sample by their ids. */
export async function countFacets(
  { db, tenantId }: TenantTransaction,
  query: SearchQuery,
  { meaning, clock, level }: Counting,
): Promise<FacetCounts> {
  const { source } = query;
  const words = rankedWords({ ...query, paths: [] }, []);
  const years = yearStarts(firstYear, clock);
  const isCounted = level === 0 ? sql`true` : sql`document.body_tsv @@ ${sampleMark(level)}::tsquery`;
  // guard: facets-of-visible
  const visible = visibleDocuments(source);
  // guard: owner-facets-of-readable
  const isReadable = sql`document.place_id in (select id from place)`;
  const { rows } = await sql<FacetRow>`
    ${plannedAnew} with ${visiblePlaces(tenantId, source.visibility, source.filters)},
    hit as materialized (
      select document.entity_type, document.extension, document.media_type, document.workspace_id,
        case when ${isReadable} then document.owner_id end as owner_id,
        width_bucket(document.updated_at, ${years.map(({ from }) => from)}::timestamptz[]) as year
      ${visible} and ${isHit(query, words, meaning)} and ${isCounted}),
    counted as (
      select grouping(entity_type, workspace_id, owner_id, year) as facet, entity_type, extension, media_type,
        workspace_id, owner_id, year, count(*) as hits
      from hit group by grouping sets ((entity_type, extension, media_type), (workspace_id), (owner_id), (year))),
    numbered as (
      select *, row_number() over (
        partition by facet order by hits desc, entity_type, extension, media_type, workspace_id, owner_id, year) as number
      from counted)
    select facet, entity_type as "entityType", extension, media_type as "mediaType", workspace_id as "workspaceId",
      owner_id as "ownerId", year, hits
    from numbered where number <= ${mostValues} order by facet, number`.execute(db);
  const of = (facet: number) => rows.filter((row) => row.facet === facet);
  return {
    each: 2 ** level,
    types: of(0b0111).map(({ entityType, extension, mediaType, hits }) => ({
      entityType,
      extension,
      mediaType,
      hits,
    })),
    workspaces: of(0b1011).map(({ workspaceId: id, hits }) => ({ id, hits })),
    owners: of(0b1101).flatMap(({ ownerId: id, hits }) => (id === null ? [] : [{ id, hits }])),
    years: of(0b1110).map(({ year, hits }) => ({ year: firstYear - 1 + year, hits })),
  };
}

interface FacetRow extends TypedDocument {
  facet: number;
  workspaceId: string;
  ownerId: string | null;
  year: number;
  hits: number;
}
