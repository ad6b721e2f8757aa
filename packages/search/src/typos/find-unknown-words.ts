import type { TenantTransaction } from "@svc/database/database";
import { plannedAnew } from "@svc/database/statement-name";
import { sql } from "kysely";
import type { QueryWord } from "../query/parse-query.ts";
import { wordQueries } from "../query/query-words.ts";
import type { SearchQuery } from "../ranking/search-query.ts";
import { visibleDocuments, visiblePlaces } from "../visibility/visible-documents.ts";

/** More than one, so that PostgreSQL does not look for the first by reading everything. */
const mostRead = 100;

/**
 * Those that no visible document has. Unlike a count, which is an estimate if time runs out, this is certain: a word that
 * exists must not be replaced.
 */
export async function findUnknownWords<Word extends QueryWord>(
  { db, tenantId }: TenantTransaction,
  { source, content, parsed }: SearchQuery,
  words: readonly Word[],
): Promise<Word[]> {
  if (words.length === 0) return [];
  const asked = wordQueries({ ...parsed, words: [...words] });
  const visible = visibleDocuments({ ...source, reach: source.reach === "row" ? "row" : "index" });
  // guard: unknown-among-visible
  const { rows } = await sql<{ found: number }>`
    ${plannedAnew} with ${visiblePlaces(tenantId, source.visibility, source.filters)}
    select (select count(*) from (
      select ${visible} and (document.name_tsv @@ word.name or document.body_tsv @@ word.body)
      limit ${mostRead}) as found) as found
    from unnest(${asked.map(({ name }) => name)}::tsquery[],
      ${asked.map(({ body }) => (content ? body : null))}::tsquery[]) with ordinality as word (name, body, place)
    order by word.place`.execute(db);
  return words.filter((_, index) => rows[index]?.found === 0);
}
