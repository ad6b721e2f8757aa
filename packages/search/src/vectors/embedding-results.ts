import type { TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";
import { knownVectors } from "./file-vectors.ts";

/**
 * For documents: until the next month's budget, and a bit longer, so that paid results are not lost while the rest
 * waits.
 */
const keptDays = { document: 45, query: 30 };

/** Stores a model's answers; `key` is the hash of the text in hex. */
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
  // guard: answers-are-kept
  await sql`
    insert into app.embedding_result (tenant_id, model, purpose, text_hash, embedding, expires_at)
    select ${tenantId}, ${model}, ${purpose}, decode(row.key, 'hex'), row.vector::halfvec, ${expiresAt}
    from unnest(${results.map(({ key }) => key)}::text[], ${results.map(({ vector }) => vector)}::text[]) as row (key, vector)
    order by row.key
    on conflict (tenant_id, model, purpose, text_hash)
    do update set embedding = excluded.embedding, lease_id = null, expires_at = excluded.expires_at`.execute(
    db,
  );
}

export interface ClaimedTexts {
  /** Claimed by the caller, who embeds them; nobody else may until `until`. */
  mine: ReadonlySet<string>;
  /** Embedded by somebody else meanwhile. */
  known: ReadonlyMap<string, string>;
}

/**
 * Before a model is called: if two workers want the same text, one calls. Claimed first and looked up second: a
 * worker that finishes meanwhile writes the vectors and removes the result in one step, so one of the two is seen.
 */
export async function claimTexts(
  transaction: TenantTransaction,
  {
    model,
    keys,
    leaseId,
    now,
    until,
  }: { model: string; keys: readonly string[]; leaseId: string; now: Date; until: Date },
): Promise<ClaimedTexts> {
  const { db, tenantId } = transaction;
  // guard: texts-are-claimed-once
  const { rows } = await sql<{ key: string }>`
    insert into app.embedding_result as result (tenant_id, model, purpose, text_hash, lease_id, expires_at)
    select ${tenantId}, ${model}, 'document', decode(key, 'hex'), ${leaseId}, ${until}
    from unnest(${[...keys]}::text[]) as key order by key
    on conflict (tenant_id, model, purpose, text_hash)
    do update set lease_id = excluded.lease_id, expires_at = excluded.expires_at
      where result.embedding is null and (result.lease_id = excluded.lease_id or result.expires_at <= ${now})
    returning encode(result.text_hash, 'hex') as key`.execute(db);
  const known = await knownVectors(transaction, model, keys);
  const claimed = rows.map(({ key }) => key);
  await releaseTexts(
    transaction,
    leaseId,
    claimed.filter((key) => known.has(key)),
  );
  return { mine: new Set(claimed.filter((key) => !known.has(key))), known };
}

/** Releases these claims, or all claims of the lease if none is named. */
export async function releaseTexts(
  { db, tenantId }: TenantTransaction,
  leaseId: string,
  keys?: readonly string[],
): Promise<void> {
  if (keys?.length === 0) return;
  await sql`
    delete from app.embedding_result
    where tenant_id = ${tenantId} and lease_id = ${leaseId} ${
      keys ? sql`and text_hash = any(select decode(unnest(${[...keys]}::text[]), 'hex'))` : sql``
    }`.execute(db);
}

/** A model's answer for a text, while it is stored. */
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

/** For documents: they are stored with their file now. */
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
