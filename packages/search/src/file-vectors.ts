import type { TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";
import { findShelves, onShelves } from "./shelf.ts";

/** A stretch of a file's text, in characters, with the vector of what was embedded for it. */
export interface VectorChunk {
  start: number;
  length: number;
  textHash: Buffer;
  vector: string;
}

/**
 * Puts a file's vectors of one model in the place of those that were there. For who holds the file's content: then nobody
 * moves or changes it meanwhile, and where it is now is where it is when this is committed.
 */
export async function writeVectors(
  transaction: TenantTransaction,
  file: { nodeId: string; model: string; contentVersion: number; chunks: readonly VectorChunk[] },
): Promise<void> {
  const { db, tenantId } = transaction;
  const { nodeId, model, contentVersion, chunks } = file;
  const { all, forNew } = await findShelves(transaction, { hold: true });
  await sql`
    delete from app.file_embedding
    where tenant_id = ${tenantId} and ${onShelves("shelf_id", all)} and node_id = ${nodeId} and model = ${model}`.execute(
    db,
  );
  if (chunks.length === 0) return;
  const { rows } = await sql<{ placeId: string }>`
    select place_id as "placeId" from app.searchable
    where tenant_id = ${tenantId} and ${onShelves("shelf_id", all)} and id = ${nodeId} for share`.execute(db);
  await sql`
    insert into app.file_embedding (
      tenant_id, shelf_id, node_id, model, chunk, content_version, place_id, start_at, length, text_hash, embedding)
    select ${tenantId}, ${forNew}, ${nodeId}, ${model}, row.chunk - 1, ${contentVersion}, ${rows[0]?.placeId ?? null}::uuid,
      row.start_at, row.length, decode(row.hash, 'hex'), row.vector::halfvec
    from unnest(${chunks.map(({ start }) => start)}::int[], ${chunks.map(({ length }) => length)}::int[],
      ${chunks.map(({ textHash }) => textHash.toString("hex"))}::text[], ${chunks.map(({ vector }) => vector)}::text[])
      with ordinality as row (start_at, length, hash, vector, chunk)`.execute(db);
}

/** Of texts that were embedded already, for whichever file of the tenant; by their hashes in hex. */
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
      union all
      (select embedding::text from app.file_embedding
       where tenant_id = ${tenantId} and ${onShelves("shelf_id", all)} and model = ${model} and text_hash = wanted.hash
       limit 1)
      limit 1) as known`.execute(db);
  return new Map(rows.map(({ key, vector }) => [key, vector]));
}

/** Those of the files that have vectors of this model, of their content as it is. */
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
