import { type RawBuilder, sql } from "kysely";
import { onShelves } from "../index/shelf.ts";
import type { Source } from "../visibility/visible-documents.ts";

/** Makes both scores comparable: the best of each counts as 1. A cursor carries these values along. */
export interface Bounds {
  /** The best score by words. */
  words: number;
  /** The highest similarity. */
  similarity: number;
  /** How much meaning a document has for each share of words, among the best by words. */
  ratio: number;
}

/** Files by meaning, to be ranked together with documents by words. */
export interface Meaning {
  model: string;
  /** Those that are searched by meaning. */
  workspaceIds: readonly string[];
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

/** Whether meaning can judge a `candidate`: it has a vector, and its workspace is searched by meaning. */
export function isJudged({ model, workspaceIds, weight }: Meaning, { tenantId, shelves }: Source) {
  if (weight === 1) return sql`true`;
  // `offset 0`: looked up for each candidate, never hashed for all files.
  return sql`(similarity is not null or exists (
    select from app.file_embedding as embedding
    join app.search_place as known on known.tenant_id = ${tenantId} and known.id = embedding.place_id
    where embedding.tenant_id = ${tenantId} and ${onShelves("embedding.shelf_id", shelves)}
      and embedding.node_id = candidate.id and embedding.model = ${model} and embedding.chunk = 0
      and known.workspace_id = any(${[...workspaceIds]}::uuid[]) offset 0))`;
}

const mostCompared = 20;

/**
 * The bounds, as `best`, of what is `weighed`. If nothing is close, the most similar file is still not a match: it
 * counts as 1 only from a third of the way to identity on (cacm: 0.572 without, 0.579 with). If meaning judges none of
 * the documents found by words, it counts like words for them.
 */
export function bestOf({ bounds, leastSimilarity }: Meaning) {
  if (bounds) {
    const { words, similarity, ratio } = bounds;
    return sql`select ${words}::float8 as words, ${similarity}::float8 as similarity, ${ratio}::float8 as ratio`;
  }
  const [byWords, byMeaning] = shares(leastSimilarity, (column) => sql`bound.${sql.ref(column)}`);
  return sql`
    select bound.words, bound.similarity, coalesce((
      select sum(${byMeaning}) / nullif(sum(${byWords}), 0)
      from (
        select in_text, in_name, similarity from weighed where is_worded and is_judged
        order by in_text + in_name desc, id limit ${mostCompared}) as compared), 1) as ratio
    from (
      select coalesce(max(in_text + in_name) filter (where is_worded), 0) as words,
        greatest(max(similarity), ${leastSimilarity + (1 - leastSimilarity) / 3}::float8) as similarity
      from weighed) as bound`;
}

/**
 * One order of both: each is scaled to 0…1, from nothing to the best of this search, and they are added with their
 * weights. A later document that is better than the best of the first page counts as much as that. What meaning cannot
 * judge is neither rewarded nor punished: its share is the one that others with as many words have. A boost comes after.
 */
export function fusedScore({ weight, leastSimilarity }: Meaning) {
  const best = (column: keyof Bounds) => sql`(select ${sql.ref(column)} from best)`;
  const [byWords, judged] = shares(leastSimilarity, best);
  // guard: unjudged-is-neutral
  const byMeaning = sql`case when is_judged then ${judged} else least(1::float8, ${best("ratio")} * ${byWords}) end`;
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

/** The most that a document can score, before a boost, if meaning did not find it and it has this score by words. */
export function scoreByWords({ weight }: Pick<Meaning, "weight">, best: Bounds, words: number): number {
  const share = best.words > 0 ? Math.min(1, words / best.words) : 1;
  return (1 - weight) * share + weight * Math.min(1, best.ratio * share);
}

/** The shares of words and of meaning, of the best of each. */
function shares(leastSimilarity: number, best: (column: keyof Bounds) => RawBuilder<unknown>) {
  return [
    share(sql`(in_text + in_name)`, 0, best("words")),
    share(sql`coalesce(similarity, 0)`, leastSimilarity, best("similarity")),
  ] as const;
}

function share(value: RawBuilder<unknown>, low: number, high: RawBuilder<unknown>) {
  const part = sql`(${value} - ${low}::float8) / nullif(${high} - ${low}::float8, 0)`;
  return sql`least(1::float8, greatest(0::float8, ${part}))`;
}
