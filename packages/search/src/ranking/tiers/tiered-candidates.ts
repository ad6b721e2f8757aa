import { type RawBuilder, sql } from "kysely";
import { anyOf, phraseQueries } from "../../query/query-words.ts";
import { visibleDocuments } from "../../visibility/visible-documents.ts";
import { has, rankedColumns } from "../candidates.ts";
import { type Lookup, lookupOf } from "../levels.ts";
import type { SearchQuery } from "../search-query.ts";
import { anyOfNeeded, type RankedWord } from "../word-score.ts";
import type { LevelPlan } from "./level-plan.ts";
import { everyTier, tierQuery } from "./tiered-word.ts";

/** Visible documents of the levels that have begun and that reach the chosen tiers; at most `most` of them. */
export function tieredCandidates(
  query: SearchQuery,
  words: readonly RankedWord[],
  plans: readonly LevelPlan[],
  most: number,
  candidate: RawBuilder<unknown>,
) {
  const { parsed, content, source } = query;
  const lookup = lookupOf(query, words);
  const found = plans.flatMap((plan) => findIn(plan, query, words, lookup) ?? []);
  const conditions = [
    sql`(${sql.join([...found, sql`false`], sql` or `)})`,
    // As a truth value no index serves it: each document would be read, also hidden ones.
    ...lookup.phrases.map((phrase) => sql`${has(phrase, content)} is true`),
    ...phraseQueries(parsed.excluded).map((phrase) => sql`${has(phrase, content)} is not true`),
  ];
  // guard: tiers-of-visible
  const visible = visibleDocuments(source);
  // The plan must not see the limit: for the first few of what it thinks are many, PostgreSQL would scan everything.
  return sql`
    matching as materialized (
      select ${rankedColumns(query, words)} ${visible} and ${sql.join(conditions, sql` and `)}),
    ${candidate} as materialized (select * from matching where is_named or ${anyOfNeeded(words)} limit ${most})`;
}

/** Undefined if no document can be of the level, or none is chosen. */
function findIn(
  { finds, chosen, since }: LevelPlan,
  { parsed, content }: SearchQuery,
  words: readonly RankedWord[],
  lookup: Lookup,
): RawBuilder<unknown> | undefined {
  if (!chosen) return undefined;
  const { tiers } = chosen;
  if (!tiers) return finds(lookup);
  const reached = anyOf(
    parsed.words.map((word, index) => tierQuery(word, tiers[index] ?? everyTier, content)),
  );
  const whole = words.filter((_, index) => tiers[index] === everyTier);
  const conditions = [
    ...(reached === null
      ? []
      : [finds({ ...lookup, tiers: reached })].filter((condition) => condition !== undefined)),
    ...whole.map((word) => has(word, content)),
  ];
  if (conditions.length === 0) return undefined;
  const any = sql`(${sql.join(conditions, sql` or `)})`;
  return since === undefined ? any : sql`(document.updated_at >= ${since} and ${any})`;
}
