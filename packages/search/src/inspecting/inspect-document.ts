import type { TenantTransaction } from "@svc/database/database";
import { plannedAnew } from "@svc/database/statement-name";
import { sql } from "kysely";
import type { EntityType } from "../index/documents.ts";
import { findShelves, onShelves } from "../index/shelf.ts";
import type { QueryWord } from "../query/parse-query.ts";
import { phraseQueries, wordQueries } from "../query/query-words.ts";
import type { RankedQuery } from "../ranking/search-query.ts";
import { type Source, visibleDocuments, visiblePlaces } from "../visibility/visible-documents.ts";

export interface IndexedDocument {
  entityType: EntityType;
  isCut: boolean;
  analyserVersion: number;
  /** Whether its place exists and is not in the trash. */
  isPlaced: boolean;
}

export async function findDocument(
  transaction: TenantTransaction,
  id: string,
): Promise<IndexedDocument | undefined> {
  const { db, tenantId } = transaction;
  const { all } = await findShelves(transaction, { hold: false });
  const { rows } = await sql<IndexedDocument>`
    select document.entity_type as "entityType", document.is_cut as "isCut",
      document.analyser_version as "analyserVersion", exists (
        select from app.search_place as place
        where place.tenant_id = ${tenantId} and place.id = document.place_id and not place.is_hidden) as "isPlaced"
    from app.searchable as document
    where document.tenant_id = ${tenantId} and ${onShelves("document.shelf_id", all)}
      and document.id = ${id}`.execute(db);
  return rows[0];
}

/** Whether a search with these filters considers the document. */
export async function isLookedAt(
  { db, tenantId }: TenantTransaction,
  source: Source,
  id: string,
): Promise<boolean> {
  // Not named: each number of words in `path:` is another text.
  const { rows } = await sql`
    ${plannedAnew} with ${visiblePlaces(tenantId, source.visibility, source.filters)}
    select ${visibleDocuments(source)} and document.id = ${id}`.execute(db);
  return rows.length > 0;
}

export interface Match {
  inName: boolean;
  inText: boolean;
}

interface FoundMatch extends Match {
  placeId: string;
}

interface WordMatch extends Match {
  word: QueryWord;
  /** In the name of a folder on its way. */
  inPath: boolean;
  /** It can make a hit; others only rank. */
  isNeeded: boolean;
}

/** Where each word, phrase and excluded phrase of a query occurs in a document. A code is one word. */
export async function matchDocument(
  transaction: TenantTransaction,
  id: string,
  { parsed, paths }: Pick<RankedQuery, "parsed" | "paths">,
): Promise<{ words: WordMatch[]; phrases: Match[]; excluded: Match[] }> {
  const { db, tenantId } = transaction;
  const { all } = await findShelves(transaction, { hold: false });
  const match = async (queries: readonly { name: string | null; body: string | null }[]) => {
    const { rows } = await sql<FoundMatch>`
      select coalesce(document.name_tsv @@ asked.name, false) as "inName",
        coalesce(document.body_tsv @@ asked.body, false) as "inText", document.place_id as "placeId"
      from unnest(${queries.map(({ name }) => name)}::tsquery[], ${queries.map(({ body }) => body)}::tsquery[])
        with ordinality as asked (name, body, place)
      cross join app.searchable as document
      where document.tenant_id = ${tenantId} and ${onShelves("document.shelf_id", all)}
        and document.id = ${id} order by asked.place`.execute(db);
    return rows;
  };
  const queries = wordQueries(parsed);
  const found = await match(queries);
  const words = parsed.words.flatMap((word, index) => {
    const match = found[index];
    if (!match || word.isJoined) return [];
    const { placeId, inName, inText } = match;
    const inPath = paths[index]?.includes(placeId) ?? false;
    return [{ word, inName, inText, inPath, isNeeded: queries[index]?.isNeeded ?? false }];
  });
  return {
    words,
    phrases: await match(phraseQueries(parsed.phrases)),
    excluded: await match(phraseQueries(parsed.excluded)),
  };
}
