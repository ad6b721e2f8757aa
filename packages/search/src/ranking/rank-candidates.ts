import type { TenantTransaction } from "@svc/database/database";
import { plannedAnew } from "@svc/database/statement-name";
import { sql } from "kysely";
import type { EntityType } from "../index/documents.ts";
import { visiblePlaces } from "../visibility/visible-documents.ts";
import { candidates, type FindByWords } from "./candidates.ts";
import { type Bounds, bestOf, fusedScore, isJudged, type Meaning } from "./fuse.ts";
import { levelOf, levelWithMeaning } from "./levels.ts";
import type { SearchQuery } from "./search-query.ts";
import { type RankedWord, recency, wordScores } from "./word-score.ts";

/** The inputs of a ranking. A cursor carries them along, so that the next page continues in the same order. */
export interface Ranking {
  weights: readonly number[];
  averageLength: number;
  now: Date;
}

/** What hits are ordered by, all descending. */
export interface RankingKey {
  /** See `levels.ts`. */
  level: number;
  score: number;
  id: string;
}

export interface RankedDocument extends RankingKey {
  entityType: EntityType;
  inText: number;
  inName: number;
  recency: number;
  /** Its level by words. */
  matched: number;
  /** Found by a word of the query. */
  isWorded: boolean;
  /** The similarity of its meaning to the query's, if that found it. */
  similarity: number | null;
  /** Whether meaning could judge it. */
  isJudged: boolean;
  /** What it was sorted by, if not by relevance. */
  sortKey?: string | number;
}

export interface RankedCandidates {
  documents: RankedDocument[];
  /** Present if meaning was used. */
  bounds: Bounds | undefined;
  candidates: number;
}

export interface CandidatesToRank {
  words: readonly RankedWord[];
  byWords: FindByWords;
  ranking: Ranking;
  after?: RankingKey | undefined;
  limit: number;
  meaning?: Meaning | undefined;
  /** By meaning alone and without an explanation: words are ignored. */
  isWordless: boolean;
}

/** Of hits, those with the highest keys. BM25 computed from `ts_rank`, new documents slightly before old ones. */
export async function rankCandidates(
  transaction: TenantTransaction,
  query: SearchQuery,
  { words, byWords, ranking, after, limit, meaning, isWordless }: CandidatesToRank,
): Promise<RankedCandidates> {
  const { db, tenantId } = transaction;
  const { source } = query;
  const [foundBy, best, score, bounds] = meaning
    ? [
        sql`is_worded, similarity, ${isJudged(meaning, source)} as is_judged`,
        sql`best as materialized (${bestOf(meaning)}),`,
        fusedScore(meaning),
        sql`(select row_to_json(best) from best)`,
      ]
    : [
        sql`true as is_worded, null::float8 as similarity, false as is_judged`,
        sql``,
        sql`(in_text + in_name) * recency`,
        sql`null::json`,
      ];
  // Without words, a few documents are looked up by id: one plan fits all, unless the words of `path:` make many texts.
  const isOnePlan = isWordless && !source.filters.onPaths && !source.filters.notOnPaths;
  const { rows } = await sql<RankedRow>`
    ${isOnePlan ? sql`` : plannedAnew} with ${visiblePlaces(tenantId, source.visibility, source.filters)},
    ${candidates(query, words, byWords, meaning)},
    weighed as (
      select id, entity_type, ${levelOf(words)} as matched, ${foundBy},
        ${wordScores(words, ranking.averageLength)},
        ${recency(ranking.now)} as recency
      from candidate offset 0),
    ${best}
    scored as (select *, ${score} as score, ${meaning ? levelBesideMeaning(meaning) : sql`matched`} as level from weighed)
    select id, entity_type as "entityType", level, score, in_text as "inText", in_name as "inName", recency, matched,
      is_worded as "isWorded", similarity, is_judged as "isJudged", counted.candidates, ${bounds} as bounds
    from (select count(*) as candidates from candidate) as counted
    left join (
      select * from scored
      ${after ? sql`where (level, score, id) < (${after.level}, ${after.score}, ${after.id}::uuid)` : sql``}
      order by level desc, score desc, id desc limit ${limit}) as page on true
    order by level desc, score desc, id desc`.execute(db);
  return {
    documents: rows.flatMap(({ candidates: _, bounds: __, id, ...document }) =>
      id === null ? [] : [{ id, ...document }],
    ),
    bounds: rows[0]?.bounds ?? undefined,
    candidates: rows[0]?.candidates ?? 0,
  };
}

type RankedRow = Omit<RankedDocument, "id"> & {
  id: string | null;
  candidates: number;
  bounds: Bounds | null;
};

/** By meaning alone there are no levels. */
function levelBesideMeaning({ weight }: Meaning) {
  // guard: names-before-meaning
  return weight === 1 ? sql`0` : levelWithMeaning();
}
