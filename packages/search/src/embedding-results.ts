import type { TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";

/** For documents until the budget of the next month, and some: what was paid for is not lost while the rest waits. */
const keptDays = { document: 45, query: 30 };

/** Keeps what a model answered; `key` is the hash of the text in hex. */
export async function keepResults(
  { db, tenantId }: TenantTransaction,
  {
    model,
    purpose,
    results,
    now,
  }: {
    model: string;
    purpose: "document" | "query";
    results: readonly { key: string; vector: string }[];
    now: Date;
  },
): Promise<void> {
  const expiresAt = new Date(now.getTime() + keptDays[purpose] * 86_400_000);
  await sql`
    insert into app.embedding_result (tenant_id, model, purpose, text_hash, embedding, expires_at)
    select ${tenantId}, ${model}, ${purpose}, decode(row.key, 'hex'), row.vector::halfvec, ${expiresAt}
    from unnest(${results.map(({ key }) => key)}::text[], ${results.map(({ vector }) => vector)}::text[]) as row (key, vector)
    on conflict (tenant_id, model, purpose, text_hash) do update set expires_at = excluded.expires_at`.execute(
    db,
  );
}

/** What a model said to a text, while it is kept. */
export async function findResult(
  { db, tenantId }: TenantTransaction,
  { model, purpose, key, now }: { model: string; purpose: "document" | "query"; key: string; now: Date },
): Promise<string | undefined> {
  const { rows } = await sql<{ vector: string }>`
    select embedding::text as vector from app.embedding_result
    where tenant_id = ${tenantId} and model = ${model} and purpose = ${purpose} and text_hash = decode(${key}, 'hex')
      and expires_at > ${now}`.execute(db);
  return rows[0]?.vector;
}

/** Of documents: they stand with their file now. */
export async function forgetResults(
  { db, tenantId }: TenantTransaction,
  model: string,
  keys: readonly string[],
): Promise<void> {
  await sql`
    delete from app.embedding_result
    where tenant_id = ${tenantId} and model = ${model} and purpose = 'document' and text_hash = any(
      select decode(unnest(${[...keys]}::text[]), 'hex'))`.execute(db);
}
