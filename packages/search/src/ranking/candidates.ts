import { type RawBuilder, sql } from "kysely";
import { looseOf, type PhraseInRow, type PhraseQuery, phraseQueries } from "../query/query-words.ts";
import { visibleDocuments } from "../visibility/visible-documents.ts";
import { type Meaning, nearFiles } from "./fuse.ts";
import type { SearchQuery } from "./search-query.ts";
import { anyOfNeeded, type RankedWord } from "./word-score.ts";

/** The documents found by words, as a part of a `with` clause that has the given name. */
export type FindByWords = (name: RawBuilder<unknown>) => RawBuilder<unknown>;

/** Documents found by words, plus files found by meaning. */
export function candidates(
  query: SearchQuery,
  words: readonly RankedWord[],
  byWords: FindByWords,
  meaning: Meaning | undefined,
) {
  if (!meaning) return byWords(sql`candidate`);
  const { parsed, source } = query;
  const ids = meaning.files.map(({ id }) => id);
  const isAlone = meaning.weight === 1;
  const conditions = [
    sql`document.id = any(${ids}::uuid[])`,
    // The conditions on words also apply to files found by meaning, if words were searched.
    // guard: phrases-by-meaning
    ...phraseQueries(parsed.phrases).map((phrase) => has(phrase, true)),
    // guard: excluded-words-by-meaning
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
    ${nearFiles(meaning)}, ${byWords(sql`worded`)},
    candidate as materialized (
      select worded.*, true as is_worded, near.similarity from worded left join near on near.id = worded.id
      union all ${near} where document.id not in (select id from worded))`;
}

export function has({ body, name }: PhraseQuery, content: boolean) {
  return content
    ? sql`(document.body_tsv @@ ${body}::tsquery or document.name_tsv @@ ${name}::tsquery)`
    : sql`(document.name_tsv @@ ${name}::tsquery)`;
}

/** The index finds visible documents with the words of a phrase; only those are read to see whether they are in a row. */
export function hasInRow(phrase: PhraseInRow, content: boolean) {
  return sql`${has(looseOf(phrase), content)} and ${has(phrase, content)} is true`;
}

/** Each with its ranking values, and without its terms: those of thousands of documents are megabytes to store. */
export function rankedColumns({ parsed, content }: SearchQuery, words: readonly RankedWord[]) {
  const isNamed = (asked: string | null) => sql`coalesce(document.name_tsv @@ ${asked}::tsquery, false)`;
  const ranks = words.flatMap(
    ({ wholeInName, begun, ends, inName, begunInName, hasCompound, inPath, inText, rank, pathPlaces }) => [
      sql`${isNamed(wholeInName)} as ${inName}`,
      sql`${inText} as ${rank}`,
      ...(begunInName ? [sql`${isNamed(begun)} as ${begunInName}`] : []),
      ...(hasCompound
        ? [sql`coalesce(${has({ name: ends, body: ends }, content)}, false) as ${hasCompound}`]
        : []),
      ...(inPath ? [sql`document.place_id = any(${[...pathPlaces]}::uuid[]) as ${inPath}`] : []),
    ],
  );
  const glued = phraseQueries(parsed.glued).map((phrase) => sql`coalesce(${has(phrase, content)}, false)`);
  return sql`document.id, document.entity_type, document.name_length, document.body_length, document.updated_at,
      document.whole_name = ${parsed.wholeName} as is_named,
      ${glued.length > 0 ? sql.join(glued, sql` and `) : sql`false`} as is_glued ${sql.join([sql``, ...ranks])}`;
}
