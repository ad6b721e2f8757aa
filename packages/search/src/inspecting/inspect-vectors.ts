import type { TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";
import { findShelves, onShelves } from "../index/shelf.ts";

interface EmbeddedFile {
  /** Whether its current content has text; otherwise there is nothing to embed. */
  hasText: boolean;
  byModel: ReadonlyMap<string, { passages: number; isCurrent: boolean }>;
}

/** What search by meaning knows about a file. */
export async function inspectVectors(transaction: TenantTransaction, id: string): Promise<EmbeddedFile> {
  const { db, tenantId } = transaction;
  const { all } = await findShelves(transaction, { hold: false });
  const { rows: texts } = await sql`
    select from app.node as node
    join app.node_text as stored
      on stored.tenant_id = ${tenantId} and stored.node_id = node.id and stored.content_version = node.content_version
    where node.tenant_id = ${tenantId} and node.id = ${id} and stored.text ~ '\\S'`.execute(db);
  const { rows } = await sql<{ model: string; passages: number; isCurrent: boolean }>`
    select embedding.model, count(*) as passages, bool_and(embedding.content_version = node.content_version) as "isCurrent"
    from app.file_embedding as embedding
    join app.node as node on node.tenant_id = ${tenantId} and node.id = embedding.node_id
    where embedding.tenant_id = ${tenantId} and ${onShelves("embedding.shelf_id", all)} and embedding.node_id = ${id}
    group by embedding.model`.execute(db);
  return {
    hasText: texts.length > 0,
    byModel: new Map(rows.map(({ model, ...vectors }) => [model, vectors])),
  };
}

/** The cosine similarity of the passage closest to a query; the caller must be allowed to see the file. */
export async function similarityOf(
  transaction: TenantTransaction,
  id: string,
  { model, vector }: { model: string; vector: string },
): Promise<number> {
  const { db, tenantId } = transaction;
  const { all } = await findShelves(transaction, { hold: false });
  const { rows } = await sql<{ similarity: number | null }>`
    select 1 - min(embedding <=> ${vector}::halfvec) as similarity from app.file_embedding
    where tenant_id = ${tenantId} and ${onShelves("shelf_id", all)} and node_id = ${id} and model = ${model}`.execute(
    db,
  );
  return rows[0]?.similarity ?? 0;
}
