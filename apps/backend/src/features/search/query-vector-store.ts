import type { TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";

const keptMillis = 30 * 24 * 3_600_000;

interface Key {
  model: string;
  /** Of its text. */
  hash: Buffer;
  now: Date;
}

export async function findQueryVector(
  { db, tenantId }: TenantTransaction,
  { model, hash, now }: Key,
): Promise<string | undefined> {
  const { rows } = await sql<{ vector: string }>`
    select embedding::text as vector from app.embedding_result
    where tenant_id = ${tenantId} and model = ${model} and purpose = 'query' and text_hash = ${hash}
      and expires_at > ${now}`.execute(db);
  return rows[0]?.vector;
}

export async function storeQueryVector(
  { db, tenantId }: TenantTransaction,
  { model, hash, vector, now }: Key & { vector: string },
): Promise<void> {
  const expiresAt = new Date(now.getTime() + keptMillis);
  await sql`
    insert into app.embedding_result (tenant_id, model, purpose, text_hash, embedding, expires_at)
    values (${tenantId}, ${model}, 'query', ${hash}, ${vector}::halfvec, ${expiresAt})
    on conflict (tenant_id, model, purpose, text_hash) do update
    set embedding = excluded.embedding, expires_at = excluded.expires_at`.execute(db);
}
