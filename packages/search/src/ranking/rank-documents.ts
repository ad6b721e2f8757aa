import type { TenantTransaction } from "@svc/database/database";
import { plannedAnew } from "@svc/database/statement-name";
import { sql } from "kysely";
import type { EntityType } from "../index/documents.ts";
import { phraseQueries } from "../query/query-words.ts";
import { visiblePlaces } from "../visibility/visible-documents.ts";
import { candidates, chooseCandidates } from "./candidates.ts";
import { type Bounds, bestOf, fusedScore, type Meaning } from "./fuse.ts";
import { mostCandidates, type SearchQuery } from "./search-query.ts";
import type { Statistics } from "./statistics.ts";
import { rankedWords, recency, tier, wordScores } from "./word-score.ts";

/** The inputs of a ranking. A cursor carries them along, so that the next page continues in the same order. */
export interface Ranking {
  weights: readonly number[];
  averageLength: number;
  now: Date;
}

/** What hits are ordered by, all descending. */
export interface RankingKey {
  /** 3: has the exact name. 2: all words in its name. 1: all words. 0: some. With meaning, 1 counts as 0. */
  tier: number;
  score: number;
  id: string;
}

export interface RankedDocument extends RankingKey {
  entityType: EntityType;
  inText: number;
  inName: number;
  recency: number;
  /** Its tier by words. */
  matched: number;
  /** Found by a word of the query. */
  isWorded: boolean;
  /** The similarity of its meaning to the query's, if that found it. */
  similarity: number | null;
}

export interface RankedPage {
  documents: RankedDocument[];
  /** Present if meaning was used. */
  bounds: Bounds | undefined;
  candidates: number;
  /** Whether all matches were ranked. */
  isComplete: boolean;
}

/**
 * Hits in order. All words before some, in one ranking: BM25 computed from `ts_rank`, names before texts, new
 * documents slightly before old ones. If more match than can be ranked in time, those with the rarest words are
 * ranked.
 */
export async function rankDocuments(
  transaction: TenantTransaction,
  query: SearchQuery,
  {
    ranking,
    statistics,
    frequencies,
    after,
    limit,
    meaning,
    isWordless = false,
  }: {
    ranking: Ranking;
    statistics: Statistics;
    frequencies: readonly number[];
    after?: RankingKey | undefined;
    limit: number;
    meaning?: Meaning | undefined;
    /** By meaning alone and without an explanation: words are ignored. */
    isWordless?: boolean;
  },
): Promise<RankedPage> {
  const { db, tenantId } = transaction;
  const { parsed, source } = query;
  const words = isWordless ? [] : rankedWords(query, ranking.weights);
  const choice = chooseCandidates(words, phraseQueries(parsed.phrases), frequencies);
  const [foundBy, best, score, bounds] = meaning
    ? [
        sql`is_worded, similarity`,
        sql`best as materialized (${bestOf(meaning)}),`,
        fusedScore(meaning),
        sql`(select row_to_json(best) from best)`,
      ]
    : [
        sql`true as is_worded, null::float8 as similarity`,
        sql``,
        sql`(in_text + in_name) * recency`,
        sql`null::json`,
      ];
  // Without words, a few documents are looked up by id: one plan fits all.
  const { rows } = await sql<RankedRow>`
    ${isWordless ? sql`` : plannedAnew} with ${visiblePlaces(tenantId, source.visibility, source.filters)},
    ${candidates(query, words, choice, statistics, meaning)},
    weighed as (
      select id, entity_type, ${tier(words)} as matched, ${foundBy},
        ${wordScores(words, ranking.averageLength)},
        ${recency(ranking.now)} as recency
      from candidate offset 0),
    ${best}
    scored as (select *, ${score} as score, ${meaning ? tierWithMeaning(meaning) : sql`matched`} as tier from weighed)
    select id, entity_type as "entityType", tier, score, in_text as "inText", in_name as "inName", recency, matched,
      is_worded as "isWorded", similarity, counted.candidates, ${bounds} as bounds
    from (select count(*) as candidates from candidate) as counted
    left join (
      select * from scored
      ${after ? sql`where (tier, score, id) < (${after.tier}, ${after.score}, ${after.id}::uuid)` : sql``}
      order by tier desc, score desc, id desc limit ${limit}) as page on true
    order by tier desc, score desc, id desc`.execute(db);
  const [first] = rows;
  const count = first?.candidates ?? 0;
  return {
    documents: rows.flatMap(({ candidates: _, bounds: __, id, ...document }) =>
      id === null ? [] : [{ id, ...document }],
    ),
    bounds: first?.bounds ?? undefined,
    candidates: count,
    isComplete: meaning?.weight === 1 || (choice.isComplete && count < mostCandidates),
  };
}

type RankedRow = Omit<RankedDocument, "id"> & {
  id: string | null;
  candidates: number;
  bounds: Bounds | null;
};

/** By meaning alone there are no tiers; with both, a name with all words comes before everything else. */
function tierWithMeaning({ weight }: Meaning) {
  // guard: names-before-meaning
  return weight === 1 ? sql`0` : sql`case when matched >= 2 then matched else 0 end`;
}
