import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import type { TenantTransaction } from "@svc/database/database";
import { ProblemError } from "@svc/protocol/problem";
import { sql } from "kysely";
import { type BlobStore, type ByteRange, blobKey } from "./blob-store.ts";
import type { Content } from "./content.ts";
import type { PendingObjects } from "./pending-objects.ts";

/**
 * Contents by SHA-256, as the transaction of one command sees them; separate for each tenant, so that a digest reveals
 * nothing about another tenant. Every version of a file holds one reference to its content. Content without references
 * can be put or referenced again for a day; then it is collected.
 */
export class Blobs {
  readonly #store: BlobStore;
  readonly #transaction: TenantTransaction;
  readonly #pending: PendingObjects | undefined;
  readonly #adopted = new Set<string>();

  /** Without `pending` nothing is written, for previews and reads. */
  constructor(store: BlobStore, transaction: TenantTransaction, pending?: PendingObjects) {
    this.#store = store;
    this.#transaction = transaction;
    this.#pending = pending;
  }

  /** Storage keys of the rows that this transaction put. A commit needs all of these objects. */
  get adopted(): ReadonlySet<string> {
    return this.#adopted;
  }

  /**
   * Stores the content and counts one reference to it. Uploads of this call were written before the transaction began;
   * other content is written now, while the transaction waits, so keep it small.
   */
  put(content: Content): Promise<void> {
    return this.putAll([content]);
  }

  /** The same for many. Rows are locked in the order of their digests, as everywhere. */
  async putAll(contents: readonly Content[]): Promise<void> {
    const { db, tenantId } = this.#transaction;
    const counted = new Map<string, { content: Content; count: number }>();
    for (const content of contents) {
      const known = counted.get(content.sha256);
      if (known) known.count += 1;
      else counted.set(content.sha256, { content, count: 1 });
    }
    const sorted = [...counted.keys()].sort().flatMap((digest) => counted.get(digest) ?? []);
    const keys: string[] = [];
    for (const { content } of sorted) keys.push((await this.#pending?.write(content)) ?? randomUUID());
    const { rows } = await sql<{ adopted: string }>`
      insert into app.blob as blob (tenant_id, sha256, size, storage_key, reference_count)
      select ${tenantId}, decode(digest, 'hex'), size, storage_key, count
      from unnest(${sorted.map(({ content }) => content.sha256)}::text[],
        ${sorted.map(({ content }) => content.size)}::bigint[], ${keys}::uuid[],
        ${sorted.map(({ count }) => count)}::int[]) as given (digest, size, storage_key, count)
      on conflict (tenant_id, sha256) do update
        set reference_count = blob.reference_count + excluded.reference_count, unreferenced_at = null
      returning storage_key as adopted`.execute(db);
    for (const { adopted } of rows) this.#adopted.add(adopted);
  }

  /** Adds one for each digest; a digest may appear more than once. */
  async addReferences(digests: readonly string[]): Promise<void> {
    await this.#count(digests, 1);
  }

  /** Subtracts one for each digest; a digest may appear more than once. */
  async release(digests: readonly string[]): Promise<void> {
    await this.#count(digests, -1);
  }

  async size(sha256: string): Promise<number> {
    return (await findBlob(this.#transaction, sha256)).size;
  }

  async read(sha256: string, range?: ByteRange): Promise<Readable> {
    const { key } = await findBlob(this.#transaction, sha256);
    return this.#store.read(key, range);
  }

  /** Rows are locked in the order of their digests, so that two purges of the same contents do not deadlock. */
  async #count(digests: readonly string[], step: 1 | -1): Promise<void> {
    if (digests.length === 0) return;
    const { db, tenantId } = this.#transaction;
    const { rows } = await sql<{ unknown: number }>`
      with wanted as (
        select decode(digest, 'hex') as sha256, ${step}::int * count(*)::int as change
        from unnest(${[...digests]}::text[]) as digest group by digest),
      locked as (
        select sha256 from app.blob where tenant_id = ${tenantId} and sha256 in (select sha256 from wanted)
        order by sha256 for update),
      counted as (
        update app.blob set
          reference_count = reference_count + change,
          unreferenced_at = case when reference_count + change = 0 then coalesce(unreferenced_at, now()) end
        from locked join wanted using (sha256)
        where tenant_id = ${tenantId} and blob.sha256 = locked.sha256 returning 1)
      select (select count(*) from wanted)::int - (select count(*) from counted)::int as unknown`.execute(db);
    if (rows[0]?.unknown !== 0) throw noSuchContent();
  }
}

/** The storage key of a content of this tenant, for reads after the transaction or without a command: downloads, jobs. */
export async function findBlob(
  transaction: TenantTransaction,
  sha256: string,
): Promise<{ key: string; size: number }> {
  const [blob] = await findBlobs(transaction, [sha256]);
  if (!blob) throw noSuchContent();
  return blob;
}

/** The same for many, in the order of their digests. Throws if one does not exist. */
export async function findBlobs(
  { db, tenantId }: TenantTransaction,
  digests: readonly string[],
): Promise<{ sha256: string; key: string; size: number }[]> {
  const { rows } = await sql<{ sha256: string; storageKey: string; size: number }>`
    select encode(sha256, 'hex') as sha256, storage_key as "storageKey", size from app.blob
    where tenant_id = ${tenantId} and sha256 = any(${digests.map(toBytes)}::bytea[])`.execute(db);
  const found = new Map(rows.map((row) => [row.sha256, row]));
  return digests.map((sha256) => {
    const row = found.get(sha256);
    if (!row) throw noSuchContent();
    return { sha256, key: blobKey(tenantId, row.storageKey), size: row.size };
  });
}

function toBytes(sha256: string): Buffer {
  return Buffer.from(sha256, "hex");
}

function noSuchContent(): ProblemError {
  return new ProblemError("not_found", "This content does not exist.");
}
