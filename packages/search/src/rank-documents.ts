import type { TenantTransaction } from "@svc/database/database";
import { plannedAnew } from "@svc/database/statement-name";
import { type RawBuilder, sql } from "kysely";
import type { EntityType } from "./documents.ts";
import { type Bounds, bestOf, fusedScore, type Meaning, nearFiles } from "./fuse.ts";
import { anyOf, type PhraseQuery, phraseQueries, type WordQuery, wordQueries } from "./query-words.ts";
import { mostCandidates, type SearchQuery } from "./search-query.ts";
import type { Statistics } from "./statistics.ts";
import { visibleDocuments, visiblePlaces } from "./visible-documents.ts";

/** What a ranking was made with. A cursor carries it on, so that the next page goes on in the same order. */
export interface Ranking {
  weights: readonly number[];
  averageLength: number;
  now: Date;
}

/** By what hits are ordered, all descending. */
export interface RankingKey {
  /** 3: has the name that was typed. 2: all words in its name. 1: all words. 0: some. With meaning, 1 is no more than 0. */
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
  /** Of its meaning and the query's, where that found it. */
  similarity: number | null;
}

export interface RankedPage {
  documents: RankedDocument[];
  /** Where meaning took part. */
  bounds: Bounds | undefined;
  candidates: number;
  /** All that matches was ranked. */
  isComplete: boolean;
}

/**
 * Hits in order. All words before some, in one ranking: BM25 as `ts_rank` gives it in closed form, names before texts,
 * what is new a little before what is old. Where more match than can be ranked in time, those with the rarest words are.
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
    /** By meaning alone, and nobody asks why: words are not looked at. */
    isWordless?: boolean;
  },
): Promise<RankedPage> {
  const { db, tenantId } = transaction;
  const { parsed, content, source } = query;
  const words = (isWordless ? [] : wordQueries(parsed)).map((word, index) => ({
    ...word,
    inText: content ? textRank(word) : sql`null::float8`,
    weight: ranking.weights[index] ?? 0,
    rank: sql.ref(`rank_${index}`),
    inName: sql.ref(`in_name_${index}`),
  }));
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
  // Without words a few documents are looked up by id: one plan fits all.
  const { rows } = await sql<RankedRow>`
    ${isWordless ? sql`` : plannedAnew} with ${visiblePlaces(tenantId, source.visibility, source.filters)},
    ${candidates(query, words, choice, statistics, meaning)},
    weighed as (
      select id, entity_type, ${tier(words)} as matched, ${foundBy},
        ${sum(words.map((word) => textScore(word, ranking.averageLength)))} as in_text,
        ${sum(words.map(({ inName, weight }) => sql`case when ${inName} then ${weight}::float8 else 0 end`))} * ${nameScore}
          as in_name,
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

interface Choice {
  /** What a candidate has one of; undefined where nothing but filters was asked for. */
  driver: PhraseQuery | undefined;
  /** How many documents have it at most, as far as is known. */
  found: number;
  isComplete: boolean;
}

/** The rarest words until there are enough documents; the first phrase where there is one. */
function chooseCandidates(
  words: readonly WordQuery[],
  phrases: readonly PhraseQuery[],
  frequencies: readonly number[],
): Choice {
  const [phrase] = phrases;
  // Whatever its words are, few have them one after the other: the index finds those that have all of them.
  if (phrase) return { driver: phrase, found: 0, isComplete: true };
  // What only ranks, a stop word or a single character of a longer run, makes nothing a hit.
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
 * Three ways to the candidates. The index of words, which first gathers all that have the word: best while that is not
 * most of everything. Else from one document to the next until there are enough, the newest first; or from place to
 * place, for who sees only a part. The costs are microseconds, measured (ADR 23).
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

/** Documents by words, and files by meaning beside them. */
function candidates(
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
    // What was asked of words holds for a text that meaning found too, wherever words were looked for.
    ...phraseQueries(parsed.phrases).map((phrase) => has(phrase, true)),
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

/** Each with what ranks it, and without its terms: those of 2,000 documents are megabytes to put aside. */
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
    // As a truth value it is nothing that an index could be asked for.
    ...(driver ? [way === "words" ? has(driver, content) : sql`${has(driver, content)} is true`] : []),
    ...phrases.map((phrase) => has(phrase, content)),
    ...excluded.map((phrase) => sql`${has(phrase, content)} is not true`),
  ];
  const reaches = { words: source.reach, places: "place", newest: "row" } as const;
  const matching = sql`
    select ${rankedColumns(query, words)}
    ${visibleDocuments({ ...source, reach: reaches[way] })}
    ${conditions.length > 0 ? sql`and ${sql.join(conditions, sql` and `)}` : sql``}`;
  // Without a bound where the plan is made: for the first 2,000 of what it takes for many, PostgreSQL would go through all.
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

interface RankedWord extends WordQuery {
  weight: number;
  /** Of a document. */
  inText: RawBuilder<unknown>;
  /** Columns of a candidate. */
  rank: RawBuilder<unknown>;
  inName: RawBuilder<unknown>;
}

/** By meaning alone there are no tiers; with both, a name that has all words is before everything else. */
function tierWithMeaning({ weight }: Meaning) {
  return weight === 1 ? sql`0` : sql`case when matched >= 2 then matched else 0 end`;
}

function anyOfNeeded(words: readonly RankedWord[]) {
  const needed = words.filter(({ isNeeded }) => isNeeded);
  return sql`coalesce(${sql.join([sql`false`, ...needed.map(isAnywhere)], sql` or `)}, false)`;
}

function isAnywhere({ rank, inName }: RankedWord) {
  return sql`(${rank} > 0 or ${inName})`;
}

function tier(words: readonly RankedWord[]) {
  const needed = words.filter(({ isNeeded }) => isNeeded);
  const inName = needed.map(({ inName }) => inName);
  const anywhere = needed.map(isAnywhere);
  const all = (conditions: readonly RawBuilder<unknown>[]) =>
    sql.join([sql`true`, ...conditions], sql` and `);
  return sql`case when is_named then 3 when ${needed.length > 0} and ${all(inName)} then 2 when ${all(anywhere)} then 1
    else 0 end`;
}

function sum(terms: readonly RawBuilder<unknown>[]) {
  return sql`(${sql.join([sql`0::float8`, ...terms], sql` + `)})`;
}

/**
 * Of the best form. What only begins with the word counts less than one word of it: `ts_rank` would add up all that does,
 * which is more than one lexeme can have (jsquad_ja: 0.928 so, 0.947 now).
 */
function textRank({ forms, begun }: WordQuery) {
  const ranks = forms.flatMap((form) =>
    form === null ? [] : [sql`ts_rank(document.body_tsv, ${form}::tsquery)`],
  );
  if (begun !== null) ranks.push(sql`case when document.body_tsv @@ ${begun}::tsquery then 0.03 end`);
  return ranks.length === 0 ? sql`null::float8` : sql`greatest(${sql.join(ranks)})::float8`;
}

/**
 * For one lexeme `ts_rank` is 0.1 × (1 + 1/4 + … + 1/tf²) / 1.6449…, and what is missing of that series to its limit, m, is
 * close to 1 / (tf + ½): so tf = 1/m − ½ comes out of it at the speed of `ts_rank`, and BM25 with k1 = 1.2 and b = 0.75
 * out of tf. Both sides of its fraction are multiplied by m here.
 */
function textScore({ rank, weight }: RankedWord, averageLength: number) {
  const missing = sql`(1.6449340669::float8 - 16.449340669::float8 * ${rank})`;
  const tf = sql`(1::float8 - 0.5::float8 * ${missing})`;
  const length = sql`(0.3::float8 + 0.9::float8 * least(body_length, 16383) / ${averageLength}::float8)`;
  return sql`case when ${rank} > 0 then ${weight}::float8 * 2.2::float8 * ${tf} / (${tf} + ${length} * ${missing}) else 0 end`;
}

/** The same with tf = 1; a name has some six terms. */
const nameScore = sql`(2.2::float8 / (1.3::float8 + 0.15::float8 * name_length))`;

/** What is of this moment counts so many times what is old. */
export const mostRecency = 1.1;

/**
 * At most a tenth: a year old is half of that. In float8 throughout: as numeric it took longer than all the rest. An
 * underflow would be an error.
 */
function recency(now: Date) {
  const years = sql`extract(epoch from ${now}::timestamptz - updated_at)::float8 / 31557600::float8`;
  return sql`(1::float8 + ${mostRecency - 1}::float8 * power(0.5::float8, least(greatest(0::float8, ${years}), 100::float8)))`;
}
