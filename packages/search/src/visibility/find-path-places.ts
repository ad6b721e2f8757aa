import type { TenantTransaction } from "@svc/database/database";
import { plannedAnew } from "@svc/database/statement-name";
import { type RawBuilder, sql } from "kysely";
import { folderMark } from "../index/folder-marks.ts";
import type { ParsedQuery, QueryWord } from "../query/parse-query.ts";
import { anyOf, wordQueries } from "../query/query-words.ts";
import { type Source, visibleDocuments, visiblePlaces } from "./visible-documents.ts";

/** For each word of a query, the visible places with a folder on their way whose name has it. */
export type PathPlaces = readonly (readonly string[])[];

/** A sentence does not name folders. */
const mostWords = 8;
/** Of one word. Of more, the newest count. */
const mostFolders = 500;
const mostPlaces = 2_000;

/**
 * A folder is a document too, and its name has the words: renaming or moving it changes nothing below. Everybody who
 * sees a document sees the names on its way (ADR 15), so only visible folders and places are looked at: neither the
 * bounds nor the work depend on hidden ones. The filters of a search do not apply: a folder above `in:` is on the way, too.
 */
export async function findPathPlaces(
  { db, tenantId }: TenantTransaction,
  parsed: ParsedQuery,
  source: Omit<Source, "filters" | "reach">,
): Promise<PathPlaces> {
  const folderWords = wordsOfFolders(parsed);
  if (!folderWords) return [];
  const { rows } = await sql<{ index: number; places: string[] }>`
    ${plannedAnew} with recursive ${visiblePlaces(tenantId, source.visibility, onlyFolders)},
    ${pathPlaces(source, folderWords)}
    select index, array_agg(id) as places from path_place group by index`.execute(db);
  const placesOf = new Map(rows.map(({ index, places }) => [index, places]));
  return parsed.words.map((_, index) => placesOf.get(index) ?? []);
}

/** For each word of a query, what the names of folders are searched for; undefined if it does not name folders. */
export function wordsOfFolders(parsed: ParsedQuery): (string | null)[] | undefined {
  const words = wordQueries(parsed);
  const needed = words.filter(({ isNeeded }) => isNeeded);
  if (needed.length < 2 || needed.length > mostWords) return undefined;
  return words.map(({ isNeeded }, index) => (isNeeded ? inFolderNames(parsed.words[index]) : null));
}

/** The place of each word, as `path_place` of a `with recursive` that has all `visiblePlaces`. */
export function pathPlaces(
  source: Omit<Source, "filters" | "reach">,
  folderWords: readonly (string | null)[],
): RawBuilder<unknown> {
  // guard: path-folders-of-visible
  const folders = visibleDocuments({ ...source, filters: onlyFolders, reach: "row" });
  // guard: paths-through-visible
  const isVisible = sql`(next.id in (select id from place) or next.id in (select id from door))`;
  return sql`
    folder as materialized (
      select word.index, found.id
      from unnest(${folderWords.map((_, index) => index)}::int[], ${[...folderWords]}::tsquery[]) as word (index, name)
      cross join lateral (
        select document.id ${folders} and document.name_tsv @@ word.name
        order by document.id desc limit ${mostFolders}) as found),
    below as (
      select index, id from folder
      union
      select below.index, next.id from below
      join app.search_place as next on next.tenant_id = ${source.tenantId} and next.parent_id = below.id
      where ${isVisible}),
    path_place as materialized (
      select index, id
      from (
        select index, id, row_number() over (partition by index order by id desc) as number from below) as numbered
      where number <= ${mostPlaces})`;
}

const onlyFolders = { entityTypes: ["FOLDER"] } as const;

function inFolderNames(word: QueryWord | undefined): string | null {
  return word ? folderQuery({ name: word.name }) : null;
}

/** What the names of folders are searched for; words that begin with the prefix as well. */
export function folderQuery({ name, prefix }: Pick<QueryWord, "name" | "prefix">): string | null {
  return anyOf([
    ...name.map((terms) => `(${terms.map(folderMark).join(" & ")})`),
    ...(prefix ? [`${folderMark(prefix)}:*`] : []),
  ]);
}
