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
  { most, frequencies }: { most: number; frequencies: readonly number[] },
  candidate: RawBuilder<unknown>,
) {
  const { parsed, content, source } = query;
  const lookup = lookupOf(query, words);
  const found = plans.flatMap((plan) => findIn(plan, query, words, lookup, frequencies));
  const conditions = [
    anyWay(found),
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

/** A condition for the index, and about how many documents it finds. */
interface Way {
  condition: RawBuilder<unknown>;
  documents: number;
}

/** None if no document can be of the level, or none is chosen. */
function findIn(
  { finds, chosen, since }: LevelPlan,
  { parsed, content }: SearchQuery,
  words: readonly RankedWord[],
  lookup: Lookup,
  frequencies: readonly number[],
): Way[] {
  if (!chosen) return [];
  const { tiers, size } = chosen;
  const all = (some: Lookup, documents: number): Way[] => {
    const condition = finds(some);
    return condition === undefined ? [] : [{ condition, documents }];
  };
  if (!tiers) return all(lookup, size);
  const reached = anyOf(
    parsed.words.map((word, index) => tierQuery(word, tiers[index] ?? everyTier, content)),
  );
  const whole = words.flatMap((word, index) =>
    tiers[index] === everyTier ? [{ condition: has(word, content), documents: frequencies[index] ?? 0 }] : [],
  );
  const inTiers = size - whole.reduce((sum, { documents }) => sum + documents, 0);
  const ways = [...(reached === null ? [] : all({ ...lookup, tiers: reached }, inTiers)), ...whole];
  if (ways.length === 0 || since === undefined) return ways;
  return [{ condition: sql`(document.updated_at >= ${since} and ${anyWay(ways)})`, documents: size }];
}

/**
 * PostgreSQL checks most documents that the index found once more, one condition after the other until one is true: of a
 * sentence with eleven words that took most of the time of ranking. So those that most documents were found by come first.
 */
function anyWay(ways: readonly Way[]): RawBuilder<unknown> {
  const sorted = ways.toSorted((left, right) => right.documents - left.documents);
  return sql`(${sql.join([...sorted.map(({ condition }) => condition), sql`false`], sql` or `)})`;
}
