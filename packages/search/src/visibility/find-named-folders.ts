import type { TenantTransaction } from "@svc/database/database";
import { plannedAnew } from "@svc/database/statement-name";
import { sql } from "kysely";
import type { QueryWord } from "../query/parse-query.ts";
import { nameQuery } from "../query/query-words.ts";
import { folderQuery } from "./find-path-places.ts";
import { type NamedPath, type Source, visibleDocuments, visiblePlaces } from "./visible-documents.ts";

/** For each word. Of more, the newest count. */
const mostFolders = 5_000;

/** The words of `path:`, with the folders that have them in their names: only visible ones are looked at. */
export async function findNamedFolders(
  { db, tenantId }: TenantTransaction,
  source: Omit<Source, "filters" | "reach">,
  paths: readonly (readonly QueryWord[])[],
): Promise<NamedPath[]> {
  const asked = paths.map((words) =>
    words.map((word) => ({ name: nameQuery(word) ?? "", folder: folderQuery(word) ?? "" })),
  );
  const queries = [...new Set(asked.flat().map(({ folder }) => folder))];
  if (queries.length === 0) return [];
  const onlyFolders = { entityTypes: ["FOLDER"] as const };
  const folders = visibleDocuments({ ...source, filters: onlyFolders, reach: "row" });
  const { rows } = await sql<{ query: string; ids: string[] }>`
    ${plannedAnew} with ${visiblePlaces(tenantId, source.visibility, onlyFolders)}
    select word.query, array(
      select document.id ${folders} and document.name_tsv @@ word.query::tsquery
      order by document.id desc limit ${mostFolders}) as ids
    from unnest(${queries}::text[]) as word (query)`.execute(db);
  const idsOf = new Map(rows.map(({ query, ids }) => [query, ids]));
  return asked.map((words) =>
    words.map(({ name, folder }) => ({ name, folderIds: idsOf.get(folder) ?? [] })),
  );
}
