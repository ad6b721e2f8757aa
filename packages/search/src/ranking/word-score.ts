import { type RawBuilder, sql } from "kysely";
import { type WordQuery, wordQueries } from "../query/query-words.ts";
import type { RankedQuery } from "./search-query.ts";

export interface RankedWord extends WordQuery {
  weight: number;
  /** Of a document. */
  inText: RawBuilder<unknown>;
  /** Columns of a candidate. */
  rank: RawBuilder<unknown>;
  inName: RawBuilder<unknown>;
  /** Whether a word of its name begins with it. Absent for a finished word. */
  begunInName: RawBuilder<unknown> | undefined;
  /** Whether name or text have a compound that ends in it, which makes a hit and adds nothing. Absent if none is looked for. */
  hasCompound: RawBuilder<unknown> | undefined;
  /** Whether a folder on its way has it in its name. Absent if no folder has it. */
  inPath: RawBuilder<unknown> | undefined;
  /** The places below such folders. */
  pathPlaces: readonly string[];
}

/** The words of a query, with their weights and matches. */
export function rankedWords(
  { parsed, content, paths }: RankedQuery,
  weights: readonly number[],
): RankedWord[] {
  return wordQueries(parsed).map((word, index) => ({
    ...word,
    inText: content ? textRank(word) : sql`null::float8`,
    weight: weights[index] ?? 0,
    rank: sql.ref(`rank_${index}`),
    inName: sql.ref(`in_name_${index}`),
    begunInName: word.begun === null ? undefined : sql.ref(`begun_in_name_${index}`),
    hasCompound: word.ends === null ? undefined : sql.ref(`has_compound_${index}`),
    inPath: paths[index]?.length ? sql.ref(`in_path_${index}`) : undefined,
    pathPlaces: paths[index] ?? [],
  }));
}

export function anyOfNeeded(words: readonly RankedWord[]) {
  const needed = words.filter(({ isNeeded }) => isNeeded);
  return sql`coalesce(${sql.join([sql`false`, ...needed.map(isAnywhere)], sql` or `)}, false)`;
}

/** Of a candidate: it has the word, or one that begins with it or ends in it. */
export function isAnywhere({ rank, inName, begunInName = sql`false`, hasCompound = sql`false` }: RankedWord) {
  return sql`(${rank} > 0 or ${inName} or ${begunInName} or ${hasCompound})`;
}

/** Of a candidate: it has the word itself. */
export function isFinished({ rank, inName }: RankedWord) {
  return sql`(${rank} > ${sql.lit(rankOfBeginning)} or ${inName})`;
}

/** The score of a candidate, by its text and by its name. */
export function wordScores(words: readonly RankedWord[], averageLength: number) {
  const inText = words.map((word) => textScore(word, averageLength));
  const inName = words.map(
    ({ inName, begunInName = sql`false`, weight }) =>
      sql`case when ${inName} or ${begunInName} then ${weight}::float8 else 0 end`,
  );
  return sql`${sum(inText)} as in_text, ${sum(inName)} * ${nameScore} as in_name`;
}

function sum(terms: readonly RawBuilder<unknown>[]) {
  return sql`(${sql.join([sql`0::float8`, ...terms], sql` + `)})`;
}

/**
 * The rank of the best form. Words that only begin with the query's word count less than one whole word: `ts_rank`
 * would add them all up, which is more than one lexeme can have (jsquad_ja: 0.928 that way, 0.947 this way).
 */
function textRank({ forms, begun, isPhrase }: WordQuery) {
  if (isPhrase)
    return sql`case when document.body_tsv @@ ${forms[0]}::tsquery then ${sql.lit(rankOfOne)}::float8 end`;
  const ranks = forms.flatMap((form) =>
    form === null ? [] : [sql`ts_rank(document.body_tsv, ${form}::tsquery)`],
  );
  if (begun !== null)
    ranks.push(sql`case when document.body_tsv @@ ${begun}::tsquery then ${sql.lit(rankOfBeginning)} end`);
  return ranks.length === 0 ? sql`null::float8` : sql`greatest(${sql.join(ranks)})::float8`;
}

/** What one occurrence of a word has, and half of it. */
const rankOfOne = 0.06;
const rankOfBeginning = 0.03;

/**
 * For one lexeme `ts_rank` is 0.1 × (1 + 1/4 + … + 1/tf²) / 1.6449…, and the distance of that series to its limit, m,
 * is close to 1 / (tf + ½): so tf = 1/m − ½ is computed at the speed of `ts_rank`, and BM25 with k1 = 1.2 and b =
 * 0.75 follows from tf. Both sides of its fraction are multiplied by m here.
 */
function textScore({ rank, weight }: RankedWord, averageLength: number) {
  const missing = sql`(1.6449340669::float8 - 16.449340669::float8 * ${rank})`;
  const tf = sql`(1::float8 - 0.5::float8 * ${missing})`;
  const length = sql`(0.3::float8 + 0.9::float8 * least(body_length, 16383) / ${averageLength}::float8)`;
  return sql`case when ${rank} > 0 then ${weight}::float8 * 2.2::float8 * ${tf} / (${tf} + ${length} * ${missing}) else 0 end`;
}

/** The same with tf = 1; a name has about six terms. */
const nameScore = sql`(2.2::float8 / (1.3::float8 + 0.15::float8 * name_length))`;

/** A brand-new document counts this many times as much as an old one. */
export const mostRecency = 1.1;

/**
 * At most a tenth more: after a year half of that. In float8 throughout: numeric took longer than all the rest. An
 * underflow would be an error.
 */
export function recency(now: Date) {
  const years = sql`extract(epoch from ${now}::timestamptz - updated_at)::float8 / 31557600::float8`;
  return sql`(1::float8 + ${mostRecency - 1}::float8 * power(0.5::float8, least(greatest(0::float8, ${years}), 100::float8)))`;
}

/** When a document must have been updated to count at least this many times as much as an old one; undefined: any time. */
export function updatedSince(recency: number, now: Date): Date | undefined {
  const part = (recency - 1) / (mostRecency - 1);
  if (part <= 0) return undefined;
  return new Date(now.getTime() + Math.log2(part) * millisOfYear);
}

const millisOfYear = 31_557_600_000;
