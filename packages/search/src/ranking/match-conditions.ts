import { type RawBuilder, sql } from "kysely";
import { anyOf, phraseQueries } from "../query/query-words.ts";
import { has } from "./candidates.ts";
import type { Meaning } from "./fuse.ts";
import type { SearchQuery } from "./search-query.ts";
import type { RankedWord } from "./word-score.ts";

/** Of a visible `document`: whether it is a hit of the query, whatever its rank. */
export function isHit(
  { parsed, content }: SearchQuery,
  words: readonly RankedWord[],
  meaning?: Meaning | undefined,
): RawBuilder<unknown> {
  const phrases = phraseQueries(parsed.phrases);
  const excluded = phraseQueries(parsed.excluded);
  const needed = words.filter(({ isNeeded }) => isNeeded);
  const any = { body: anyOf(needed.map(({ body }) => body)), name: anyOf(needed.map(({ name }) => name)) };
  const conditions = (inTexts: boolean) => [
    ...phrases.map((phrase) => has(phrase, inTexts)),
    ...excluded.map((phrase) => sql`${has(phrase, inTexts)} is not true`),
  ];
  const byWords = all([
    ...(phrases.length === 0 && needed.length > 0 ? [has(any, content)] : []),
    ...conditions(content),
  ]);
  if (!meaning) return byWords;
  const isNear = sql`document.id = any(${meaning.files.map(({ id }) => id)}::uuid[])`;
  const byMeaning = all([isNear, ...conditions(true)]);
  return meaning.weight === 1 ? byMeaning : sql`(${byWords} or ${byMeaning})`;
}

function all(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql`(${sql.join([sql`true`, ...conditions], sql` and `)})`;
}
