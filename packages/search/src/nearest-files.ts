import type { TenantTransaction } from "@svc/database/database";
import { plannedAnew } from "@svc/database/statement-name";
import { sql } from "kysely";
import { onShelves } from "./shelf.ts";
import { type Source, visibleDocuments, visiblePlaces } from "./visible-documents.ts";

/** A file and its chunk that is nearest, by characters of its text. */
export interface NearFile {
  id: string;
  /** Cosine. */
  distance: number;
  start: number;
  length: number;
}

/** The files whose nearest chunk is nearest, of those that the caller may see and the filters let through. */
export async function nearestFiles(
  { db, tenantId }: TenantTransaction,
  source: Omit<Source, "reach">,
  { model, vector, files }: { model: string; vector: string; files: number; visibleChunks: number },
): Promise<{ files: NearFile[]; isExact: boolean }> {
  const filters = { ...source.filters, entityTypes: ["FILE"] as const };
  const { rows } = await sql<NearFile>`
    ${plannedAnew} with ${visiblePlaces(tenantId, source.visibility, filters)},
    seen as materialized (select document.id ${visibleDocuments({ ...source, filters, reach: "row" })}),
    nearest as (
      select distinct on (embedding.node_id) embedding.node_id as id,
        (embedding.embedding <=> ${vector}::halfvec)::float8 as distance, embedding.start_at as start, embedding.length
      from app.file_embedding as embedding
      where embedding.tenant_id = ${tenantId} and ${onShelves("embedding.shelf_id", source.shelves)}
        and embedding.model = ${model} and embedding.place_id in (select id from place)
        and embedding.node_id in (select id from seen)
      order by embedding.node_id, distance, embedding.chunk)
    select * from nearest order by distance, id desc limit ${files}`.execute(db);
  return { files: rows, isExact: true };
}

const mostCounted = 100_000;

export async function countVisibleChunks(
  { db, tenantId }: TenantTransaction,
  source: Omit<Source, "reach">,
  model: string,
): Promise<number> {
  const { rows } = await sql<{ chunks: number }>`
    with ${visiblePlaces(tenantId, source.visibility, source.filters)}
    select count(*) as chunks from (
      select from app.file_embedding as embedding
      where embedding.tenant_id = ${tenantId} and ${onShelves("embedding.shelf_id", source.shelves)}
        and embedding.model = ${model} and embedding.place_id in (select id from place)
      limit ${mostCounted}) as counted`.execute(db);
  return rows[0]?.chunks ?? 0;
}
