import { type RawBuilder, sql } from "kysely";
import type { ParsedQuery } from "../query/parse-query.ts";
import { type BeginningsPattern, beginningsPattern, wordBeginnings } from "./word-beginnings.ts";

/** A part of a text where words of the query may be. */
export interface Excerpt {
  text: string;
  /** How many characters (code points) of the whole text precede it. */
  start: number;
  /** Whether the text goes on after it. */
  hasMore: boolean;
  /** About how many different words of the query are in it. */
  words: number;
}

export interface ExcerptRequest {
  pattern: BeginningsPattern | undefined;
  /** How many to look for; there may be a few more, in case some turn out to have no match. */
  count: number;
  /** By id, how many characters precede the passage that meaning found: then only that is wanted. */
  passages: ReadonlyMap<string, number>;
}

export function requestExcerpts(
  query: ParsedQuery,
  { count, passages }: Pick<ExcerptRequest, "count" | "passages">,
): ExcerptRequest {
  return { pattern: beginningsPattern(wordBeginnings(query)), count, passages };
}

/** A page of hits is read while somebody waits: a text of this length takes 14 ms. */
const mostLookedAt = 200_000;
const mostMatches = 5_000;
const characters = 400;
/** Words closer than half of this are found together. */
const together = 160;
const spare = 3;

/**
 * Selects `excerpts`, an array with the best first: those with the most different words, then the earliest; the
 * beginning if no word is found. Takes time in proportion to the text, whatever is in it. The text must be a column:
 * it is named several times.
 */
export function selectExcerpts(
  text: RawBuilder<unknown>,
  id: RawBuilder<unknown>,
  { pattern, count, passages }: ExcerptRequest,
) {
  const before = sql`
    (select before from unnest(${[...passages.keys()]}::uuid[], ${[...passages.values()]}::int[]) as passage (id, before)
     where passage.id = ${id})`;
  return sql`
    select jsonb_agg(
      jsonb_build_object('text', substr(${text}, begins.at + 1, ${characters}::int), 'start', begins.at,
        'hasMore', length(${text}) > begins.at + ${characters}::int, 'words', begins.words)
      order by begins.words desc, begins.at) as excerpts
    from (select ${before} as before) as passage
    cross join lateral (
      select greatest(0, passage.before - 1) as at, 0 as words where passage.before is not null
      union all
      select 0, 0 where passage.before is null
      ${pattern ? sql`union all select at, words from (${places(text, pattern, count)}) as place where passage.before is null` : sql``}
    ) as begins
    where ${text} <> ''`;
}

/** Where excerpts with matches begin. Different words are told apart by their first letters. */
function places(text: RawBuilder<unknown>, { atStart, anywhere }: BeginningsPattern, count: number) {
  return sql`
    select at, max(words) as words
    from (
      select greatest(0, (min(match.at) + max(match.at)) / 2 - ${characters / 2}::int)::int as at,
        count(distinct match.letters)::int as words
      from (select ' ' || left(${text}, ${mostLookedAt}::int) as looked offset 0) as whole
      cross join lateral (
        with at_start as materialized (${matches(atStart)})
        select at, letters from at_start
        union all
        select at, letters from (${matches(anywhere)}) as anywhere where not exists (select from at_start)) as match
      cross join generate_series(0, 1) as half
      group by half, (match.at + half * ${together / 2}::int) / ${together}::int) as place
    group by at order by words desc, at limit ${count + spare}::int`;
}

/** Where the pattern matches in `whole.looked`, which has one more character in front: nothing is split off there. */
function matches(pattern: string) {
  return sql`
    select at, letters
    from (
      select sum(length(piece)) over (order by number) - length(piece) - 1 as at, number,
        case when octet_length(left(piece, 1)) > 2 then left(piece, 2) else lower(left(piece, 3)) end as letters
      from regexp_split_to_table(whole.looked, ${pattern}, 'i') with ordinality as split (piece, number)
      where number <= ${mostMatches}::int) as split
    where number > 1`;
}
