import type { TenantTransaction } from "@svc/database/database";
import { type RawBuilder, sql } from "kysely";
import { findShelves, onShelves } from "../index/shelf.ts";
import { type Source, visibleDocuments, visiblePlaces } from "../visibility/visible-documents.ts";

/**
 * Enqueues the files whose workspace opted in. A file that already waits keeps waiting: no duplicate, and no model is
 * called.
 */
export async function enqueueFiles(transaction: TenantTransaction, ids: readonly string[]): Promise<void> {
  await enqueue(transaction, sql`node.id = any(${[...ids]}::uuid[])`);
}

/**
 * For a file whose text changed although its content did not. Its vectors are outdated, but used until there are new
 * ones. A worker that is embedding the old text loses the entry, and so does not finish it.
 */
export async function reembedFile(transaction: TenantTransaction, id: string): Promise<void> {
  const { db, tenantId } = transaction;
  const { all } = await findShelves(transaction, { hold: true });
  await sql`
    update app.file_embedding set content_version = 0
    where tenant_id = ${tenantId} and ${onShelves("shelf_id", all)} and node_id = ${id}`.execute(db);
  await sql`
    update app.embedding_index_queue_entry
    set lease_id = null, leased_until = null, attempts = 0, not_before = null, failure = null, parked_version = null
    where tenant_id = ${tenantId} and node_id = ${id}`.execute(db);
  await enqueueFiles(transaction, [id]);
}

/** All files, including those in the trash, which may be restored. */
export async function enqueueWorkspace(transaction: TenantTransaction, workspaceId: string): Promise<void> {
  await enqueue(transaction, sql`node.workspace_id = ${workspaceId}`);
}

/** The files of each workspace that opted in; returns how many were not waiting yet. */
export async function enqueueAll(transaction: TenantTransaction): Promise<number> {
  return enqueue(transaction, sql`true`);
}

/**
 * The files of a workspace, of a folder and below, or of all workspaces, if their workspace opted in and the model has
 * not embedded their current text. Returns how many were not waiting yet.
 */
export async function enqueueUnembedded(
  transaction: TenantTransaction,
  { workspaceId, folderId }: { workspaceId?: string; folderId?: string },
  model: string,
): Promise<number> {
  const { tenantId } = transaction;
  const { all } = await findShelves(transaction, { hold: false });
  const conditions = [
    sql`node.trashed_at is null`,
    sql`exists (
      select from app.node_text as stored
      where stored.tenant_id = ${tenantId} and stored.node_id = node.id
        and stored.content_version = node.content_version and stored.text <> '')`,
    sql`not exists (
      select from app.file_embedding as embedding
      where embedding.tenant_id = ${tenantId} and ${onShelves("embedding.shelf_id", all)}
        and embedding.node_id = node.id and embedding.model = ${model} and embedding.chunk = 0
        and embedding.content_version = node.content_version)`,
    ...(workspaceId === undefined ? [] : [sql`node.workspace_id = ${workspaceId}`]),
    ...(folderId === undefined
      ? []
      : [
          sql`node.id in (
            with recursive below as (
              select ${folderId}::uuid as id
              union
              select child.id from below
              join app.node as child on child.tenant_id = ${tenantId} and child.parent_id = below.id)
            select id from below)`,
        ]),
  ];
  return enqueue(transaction, sql.join(conditions, sql` and `));
}

async function enqueue({ db, tenantId }: TenantTransaction, which: RawBuilder<unknown>): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into app.embedding_index_queue_entry (tenant_id, node_id, workspace_id)
    select ${tenantId}, node.id, node.workspace_id from app.node as node
    join app.workspace as workspace on workspace.tenant_id = ${tenantId} and workspace.id = node.workspace_id
    where node.tenant_id = ${tenantId} and ${which} and node.kind = 'file' and workspace.semantic_search_enabled
    on conflict (tenant_id, node_id) do nothing`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** Files that somebody opened or missed are embedded first. A file that is being worked on no longer needs that. */
export async function wantSooner({ db, tenantId }: TenantTransaction, ids: readonly string[]): Promise<void> {
  await sql`
    with wanted as (
      select node_id, count(*) as times from unnest(${[...ids]}::uuid[]) as wanted (node_id) group by 1),
    waiting as (
      select node_id, times from app.embedding_index_queue_entry join wanted using (node_id)
      where tenant_id = ${tenantId} for update of embedding_index_queue_entry skip locked)
    update app.embedding_index_queue_entry as entry set value = least(value + waiting.times, ${mostValue})
    from waiting where entry.tenant_id = ${tenantId} and entry.node_id = waiting.node_id`.execute(db);
}

const mostValue = 1_000_000;

export async function dequeueWorkspace(
  { db, tenantId }: TenantTransaction,
  workspaceId: string,
): Promise<void> {
  // guard: opting-out-empties-queue
  await db
    .deleteFrom("app.embedding_index_queue_entry")
    .where("tenant_id", "=", tenantId)
    .where("workspace_id", "=", workspaceId)
    .execute();
}

export interface Waiting {
  files: number;
  since: Date;
  /** The last failure of one of them; null if none failed, or only for lack of budget. */
  failure: string | null;
}

/** Counts what the caller may see, by workspace; workspaces where nothing waits are absent. */
export async function countWaiting(
  { db, tenantId }: TenantTransaction,
  source: Pick<Source, "shelves" | "visibility">,
): Promise<ReadonlyMap<string, Waiting>> {
  const filters = { entityTypes: ["FILE"] } as const;
  const { rows } = await sql<Waiting & { workspaceId: string }>`
    with ${visiblePlaces(tenantId, source.visibility, filters)}
    select entry.workspace_id as "workspaceId", count(*) as files, min(entry.enqueued_at) as since,
      max(entry.failure) filter (where not entry.lacks_budget) as failure
    from app.embedding_index_queue_entry as entry
    where entry.tenant_id = ${tenantId} and entry.node_id in (
      select document.id ${visibleDocuments({ ...source, tenantId, filters, reach: "row" })})
    group by entry.workspace_id`.execute(db);
  return new Map(rows.map(({ workspaceId, ...waiting }) => [workspaceId, waiting]));
}

/** Visible files with vectors of a model, by workspace; workspaces without any are absent. */
export async function countEmbedded(
  { db, tenantId }: TenantTransaction,
  source: Pick<Source, "shelves" | "visibility">,
  model: string,
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ workspaceId: string; files: number }>`
    with ${visiblePlaces(tenantId, source.visibility, { entityTypes: ["FILE"] })}
    select known.workspace_id as "workspaceId", count(*) as files
    from app.file_embedding as embedding
    join app.search_place as known on known.tenant_id = ${tenantId} and known.id = embedding.place_id
    where embedding.tenant_id = ${tenantId} and ${onShelves("embedding.shelf_id", source.shelves)}
      and embedding.model = ${model} and embedding.chunk = 0 and embedding.place_id in (select id from place)
    group by known.workspace_id`.execute(db);
  return new Map(rows.map(({ workspaceId, files }) => [workspaceId, files]));
}

/** What waits in a workspace, or in all, visible or not: how many files, and about how many tokens. */
export async function estimateWaiting(
  { db, tenantId }: TenantTransaction,
  workspaceId: string | undefined,
): Promise<{ files: number; tokens: number }> {
  const { rows } = await sql<{ files: number; bytes: number }>`
    select count(*) as files, coalesce(sum(octet_length(stored.text)), 0)::bigint as bytes
    from app.embedding_index_queue_entry as entry
    join app.node as node on node.tenant_id = ${tenantId} and node.id = entry.node_id and node.trashed_at is null
    left join app.node_text as stored
      on stored.tenant_id = ${tenantId} and stored.node_id = node.id and stored.content_version = node.content_version
    where entry.tenant_id = ${tenantId} and entry.parked_version is distinct from node.content_version
      ${workspaceId === undefined ? sql`` : sql`and entry.workspace_id = ${workspaceId}`}`.execute(db);
  const { files = 0, bytes = 0 } = rows[0] ?? {};
  return { files, tokens: Math.ceil((bytes / bytesPerToken) * overlapping) };
}

/** Four for English text, less for others, and allowing for the overlap of chunks. */
const bytesPerToken = 3.5;
const overlapping = 1.15;
