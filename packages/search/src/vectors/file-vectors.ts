import type { TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";
import { findShelves, onShelves } from "../index/shelf.ts";

/** A part of a file's text, in characters, with its vector. */
export interface VectorChunk {
  start: number;
  length: number;
  textHash: Buffer;
  vector: string;
}

export interface FileVectors {
  nodeId: string;
  contentVersion: number;
  chunks: readonly VectorChunk[];
}

/**
 * Replaces the vectors of files for one model. The caller must hold the files' content: then nobody moves or changes
 * them meanwhile, and their current place is still right at the commit.
 */
export async function writeVectors(
  transaction: TenantTransaction,
  model: string,
  files: readonly FileVectors[],
): Promise<void> {
  const { db, tenantId } = transaction;
  const { all, forNew } = await findShelves(transaction, { hold: true });
  const ids = files.map(({ nodeId }) => nodeId);
  await sql`
    delete from app.file_embedding
    where tenant_id = ${tenantId} and ${onShelves("shelf_id", all)} and node_id = any(${ids}::uuid[])
      and model = ${model}`.execute(db);
  const chunks = files.flatMap(({ nodeId, contentVersion, chunks: own }) =>
    own.map((chunk, number) => ({ ...chunk, nodeId, contentVersion, number })),
  );
  if (chunks.length === 0) return;
  const { rows: places } = await sql<{ id: string; placeId: string }>`
    select id, place_id as "placeId" from app.searchable
    where tenant_id = ${tenantId} and ${onShelves("shelf_id", all)} and id = any(${ids}::uuid[])
    order by id for share`.execute(db);
  const placeOf = new Map(places.map(({ id, placeId }) => [id, placeId]));
  await sql`
    insert into app.file_embedding (
      tenant_id, shelf_id, node_id, model, chunk, content_version, place_id, start_at, length, text_hash, embedding)
    select ${tenantId}, ${forNew}, row.node_id, ${model}, row.chunk, row.content_version, row.place_id, row.start_at,
      row.length, decode(row.hash, 'hex'), row.vector::halfvec
    from unnest(${chunks.map(({ nodeId }) => nodeId)}::uuid[], ${chunks.map(({ number }) => number)}::int[],
      ${chunks.map(({ contentVersion }) => contentVersion)}::int[],
      ${chunks.map(({ nodeId }) => placeOf.get(nodeId) ?? null)}::uuid[],
      ${chunks.map(({ start }) => start)}::int[], ${chunks.map(({ length }) => length)}::int[],
      ${chunks.map(({ textHash }) => textHash.toString("hex"))}::text[], ${chunks.map(({ vector }) => vector)}::text[])
      as row (node_id, chunk, content_version, place_id, start_at, length, hash, vector)`.execute(db);
}

/** Vectors of texts that are already embedded, for any file of the tenant; by their hashes in hex. */
export async function knownVectors(
  transaction: TenantTransaction,
  model: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (keys.length === 0) return new Map();
  const { db, tenantId } = transaction;
  const { all } = await findShelves(transaction, { hold: false });
  const { rows } = await sql<{ key: string; vector: string }>`
    select wanted.key, known.vector
    from (select key, decode(key, 'hex') as hash from unnest(${[...keys]}::text[]) as key) as wanted
    cross join lateral (
      select embedding::text as vector from app.embedding_result
      where tenant_id = ${tenantId} and model = ${model} and purpose = 'document' and text_hash = wanted.hash
        and embedding is not null
      union all
      (select embedding::text from app.file_embedding
       where tenant_id = ${tenantId} and ${onShelves("shelf_id", all)} and model = ${model} and text_hash = wanted.hash
       limit 1)
      limit 1) as known`.execute(db);
  return new Map(rows.map(({ key, vector }) => [key, vector]));
}

/** The files that have vectors of this model for their current content. */
export async function currentVectors(
  transaction: TenantTransaction,
  model: string,
  files: readonly { nodeId: string; contentVersion: number }[],
): Promise<ReadonlySet<string>> {
  const { db, tenantId } = transaction;
  const { all } = await findShelves(transaction, { hold: false });
  const { rows } = await sql<{ id: string }>`
    select embedding.node_id as id
    from unnest(${files.map(({ nodeId }) => nodeId)}::uuid[], ${files.map(({ contentVersion }) => contentVersion)}::int[])
      as file (id, version)
    join app.file_embedding as embedding
      on embedding.tenant_id = ${tenantId} and ${onShelves("embedding.shelf_id", all)} and embedding.node_id = file.id
        and embedding.model = ${model} and embedding.chunk = 0 and embedding.content_version = file.version`.execute(
    db,
  );
  return new Set(rows.map(({ id }) => id));
}
