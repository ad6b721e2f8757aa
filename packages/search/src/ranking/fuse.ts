import { type RawBuilder, sql } from "kysely";

/** Makes both scores comparable: the best of each counts as 1. A cursor carries these values along. */
export interface Bounds {
  /** The best score by words. */
  words: number;
  /** The highest similarity. */
  similarity: number;
}

/** Files by meaning, to be ranked together with documents by words. */
export interface Meaning {
  files: readonly { id: string; similarity: number }[];
  /** The cut-off: none of them is below, and meaning begins to count here. */
  leastSimilarity: number;
  /** The weight of meaning in the sum, the rest being that of words; 1 if words find nothing by themselves. */
  weight: number;
  /** The values of the first page; computed if absent. */
  bounds?: Bounds | undefined;
}

/** The weight of meaning in the sum of both (ADR 28). */
export const usualWeight = 0.5;

/** The most files compared by meaning: 500 find no better ones. */
export const mostNear = 200;

export function nearFiles({ files }: Meaning) {
  return sql`near as materialized (
    select * from unnest(${files.map(({ id }) => id)}::uuid[], ${files.map(({ similarity }) => similarity)}::float8[])
      as near (id, similarity))`;
}

/**
 * The bounds, as `best`, of what is `weighed`. If nothing is close, the most similar file is still not a match: it
 * counts as 1 only from a third of the way to identity on (cacm: 0.572 without, 0.579 with).
 */
export function bestOf({ bounds, leastSimilarity }: Meaning) {
  return bounds
    ? sql`select ${bounds.words}::float8 as words, ${bounds.similarity}::float8 as similarity`
    : sql`select coalesce(max(in_text + in_name) filter (where is_worded), 0) as words,
        greatest(max(similarity), ${leastSimilarity + (1 - leastSimilarity) / 3}::float8) as similarity from weighed`;
}

/**
 * One order of both: each is scaled to 0…1, from nothing to the best of this search, and they are added with their
 * weights. A later document that is better than the best of the first page counts as much as that. A boost comes
 * after.
 */
export function fusedScore({ weight, leastSimilarity }: Meaning) {
  const byWords = share(sql`in_text + in_name`, 0, sql`(select words from best)`);
  const byMeaning = share(sql`coalesce(similarity, 0)`, leastSimilarity, sql`(select similarity from best)`);
  return sql`(${1 - weight}::float8 * ${byWords} + ${weight}::float8 * ${byMeaning}) * recency`;
}

/** The `fusedScore`, before a boost, of a file of this similarity that no word finds. */
export function scoreByMeaning(
  { weight, leastSimilarity }: Meaning,
  best: Bounds,
  similarity: number,
): number {
  const part = (similarity - leastSimilarity) / (best.similarity - leastSimilarity);
  return weight * Math.min(1, Math.max(0, part));
}

function share(value: RawBuilder<unknown>, low: number, high: RawBuilder<unknown>) {
  const part = sql`(${value} - ${low}::float8) / nullif(${high} - ${low}::float8, 0)`;
  return sql`least(1::float8, greatest(0::float8, ${part}))`;
}
