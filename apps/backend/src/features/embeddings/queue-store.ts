import type { TenantTransaction } from "@svc/database/database";
import { type RawBuilder, sql } from "kysely";

/** Longer than a group of files takes; each answer of the model renews it. */
const leaseMillis = 5 * 60_000;

/** A file that a worker has claimed, with the content that it works on. */
export interface ClaimedFile {
  nodeId: string;
  contentVersion: number;
  text: string;
  attempts: number;
}

/**
 * Entries that a run can still process, as `entry`, with their file as `node`: not parked content, nor entries that
 * lack money, nor files in the trash, which wait until they are restored.
 */
export function workable(tenantId: string, startedAt: RawBuilder<unknown>) {
  return sql`
    select from app.embedding_index_queue_entry as entry
    join app.node as node on node.tenant_id = ${tenantId} and node.id = entry.node_id
    where entry.tenant_id = ${tenantId} and entry.enqueued_at <= ${startedAt} and ${isWorkable(tenantId)}`;
}

function isWorkable(tenantId: string) {
  return sql`not entry.lacks_budget and entry.parked_version is distinct from node.content_version and exists (
    select from app.searchable as document
    join app.search_place as place on place.tenant_id = ${tenantId} and place.id = document.place_id
    where document.tenant_id = ${tenantId} and document.id = node.id and not place.is_hidden)`;
}

/** Limits of one group. */
const group = { files: 32, characters: 500_000 };

/**
 * Claims some files that no other worker has, most wanted first; fewer if they are long. Their entries are leased to
 * `leaseId` until they are finished or released, or until the lease expires because the worker disappeared.
 */
export async function claimFiles(
  { db, tenantId }: TenantTransaction,
  { leaseId, startedAt, now }: { leaseId: string; startedAt: Date; now: Date },
): Promise<ClaimedFile[]> {
  // guard: leases-run-out
  const { rows } = await sql<Omit<ClaimedFile, "text"> & { characters: number }>`
    with next as materialized (
      select entry.node_id, node.content_version, coalesce(length(stored.text), 0) as characters
      from app.embedding_index_queue_entry as entry
      join app.node as node on node.tenant_id = ${tenantId} and node.id = entry.node_id
      left join app.node_text as stored
        on stored.tenant_id = ${tenantId} and stored.node_id = node.id and stored.content_version = node.content_version
      where entry.tenant_id = ${tenantId} and entry.enqueued_at <= ${startedAt}
        and (entry.leased_until is null or entry.leased_until <= ${now})
        and (entry.not_before is null or entry.not_before <= ${now}) and ${isWorkable(tenantId)}
      order by entry.value desc, entry.enqueued_at, entry.node_id limit ${group.files} for update of entry skip locked),
    fitting as (
      select node_id, content_version from (
        select next.*, sum(characters) over (order by characters, node_id) as together, row_number() over (order by characters)
          as number
        from next) as counted
      where together <= ${group.characters} or number = 1)
    update app.embedding_index_queue_entry as entry
    set lease_id = ${leaseId}, leased_until = ${leaseEnd(now)}
    from fitting where entry.tenant_id = ${tenantId} and entry.node_id = fitting.node_id
    returning entry.node_id as "nodeId", fitting.content_version as "contentVersion", entry.attempts`.execute(
    db,
  );
  const texts = await readTexts({ db, tenantId }, rows);
  return rows.map((row) => ({ ...row, text: texts.get(row.nodeId) ?? "" }));
}

async function readTexts(
  { db, tenantId }: Pick<TenantTransaction, "db" | "tenantId">,
  files: readonly Pick<ClaimedFile, "nodeId" | "contentVersion">[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ nodeId: string; text: string }>`
    select stored.node_id as "nodeId", stored.text
    from unnest(${files.map(({ nodeId }) => nodeId)}::uuid[], ${files.map(({ contentVersion }) => contentVersion)}::int[])
      as file (id, version)
    join app.node_text as stored
      on stored.tenant_id = ${tenantId} and stored.node_id = file.id and stored.content_version = file.version`.execute(
    db,
  );
  return new Map(rows.map(({ nodeId, text }) => [nodeId, text]));
}

export function leaseEnd(now: Date): Date {
  return new Date(now.getTime() + leaseMillis);
}

export async function renewLeases(
  { db, tenantId }: TenantTransaction,
  leaseId: string,
  now: Date,
): Promise<void> {
  await sql`
    update app.embedding_index_queue_entry set leased_until = ${leaseEnd(now)}
    where tenant_id = ${tenantId} and lease_id = ${leaseId}`.execute(db);
}

/** The files whose entries are still ours: others were deleted, opted out, or claimed by another worker. */
export async function stillClaimed<File extends Pick<ClaimedFile, "nodeId">>(
  { db, tenantId }: TenantTransaction,
  leaseId: string,
  files: readonly File[],
): Promise<File[]> {
  const { rows } = await sql<{ id: string }>`
    select node_id as id from app.embedding_index_queue_entry
    where tenant_id = ${tenantId} and lease_id = ${leaseId}
      and node_id = any(${files.map(({ nodeId }) => nodeId)}::uuid[])`.execute(db);
  const ours = new Set(rows.map(({ id }) => id));
  return files.filter(({ nodeId }) => ours.has(nodeId));
}

/** How work on a file ended without vectors. */
export interface Setback {
  failure: string | null;
  attempts: number;
  notBefore: Date | null;
  lacksBudget: boolean;
  /** The content that is parked. */
  parkedVersion: number | null;
}

/** If the lease has expired, another worker's work is not disturbed. */
export async function setBack(
  { db, tenantId }: TenantTransaction,
  { nodeId, leaseId }: { nodeId: string; leaseId: string },
  { failure, attempts, notBefore, lacksBudget, parkedVersion }: Setback,
): Promise<void> {
  await sql`
    update app.embedding_index_queue_entry
    set lease_id = null, leased_until = null, attempts = ${attempts}, failure = ${failure}, not_before = ${notBefore},
      lacks_budget = ${lacksBudget}, parked_version = ${parkedVersion}
    where tenant_id = ${tenantId} and node_id = ${nodeId} and lease_id = ${leaseId}`.execute(db);
}

/** Releases all or some, as if they had never been claimed; vectors so far are kept for the next worker. */
export async function releaseEntries(
  { db, tenantId }: TenantTransaction,
  leaseId: string,
  files?: readonly Pick<ClaimedFile, "nodeId">[],
): Promise<void> {
  const ids = files?.map(({ nodeId }) => nodeId);
  await sql`
    update app.embedding_index_queue_entry set lease_id = null, leased_until = null
    where tenant_id = ${tenantId} and lease_id = ${leaseId}
      ${ids ? sql`and node_id = any(${ids}::uuid[])` : sql``}`.execute(db);
}

/**
 * Finishes work on some files; returns those that were finished. Until the transaction ends nobody changes their
 * content: a caller who wants to waits, and queues the file again. The entry of a changed file stays, because its
 * vectors are useless; a file without our entry was deleted, opted out, or finished by another worker.
 */
export async function finishEntries(
  { db, tenantId }: TenantTransaction,
  leaseId: string,
  files: readonly Pick<ClaimedFile, "nodeId" | "contentVersion">[],
): Promise<ReadonlySet<string>> {
  // In order, so that two workers never wait for each other.
  const { rows: held } = await sql<{ id: string; version: number | null }>`
    select file.id, app.hold_content(file.id) as version
    from (select id from unnest(${files.map(({ nodeId }) => nodeId)}::uuid[]) as id order by id) as file`.execute(
    db,
  );
  const versions = new Map(held.map(({ id, version }) => [id, version]));
  // guard: content-as-claimed
  const isAsClaimed = ({ nodeId, contentVersion }: (typeof files)[number]) =>
    versions.get(nodeId) === contentVersion;
  const changed = files.filter((file) => !isAsClaimed(file));
  const mine = (some: typeof files) => sql`
    tenant_id = ${tenantId} and node_id = any(${some.map(({ nodeId }) => nodeId)}::uuid[]) and lease_id = ${leaseId}`;
  if (changed.length > 0) {
    await sql`
      update app.embedding_index_queue_entry set lease_id = null, leased_until = null, attempts = 0
      where ${mine(changed)}`.execute(db);
  }
  const { rows: finished } = await sql<{ id: string }>`
    delete from app.embedding_index_queue_entry where ${mine(files.filter(isAsClaimed))}
    returning node_id as id`.execute(db);
  return new Set(finished.map(({ id }) => id));
}
