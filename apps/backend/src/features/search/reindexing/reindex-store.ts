import type { Database, TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";
import { tellProgress } from "../../../platform/jobs/operations-store.ts";
import type { SearchScope } from "../../../platform/search/search-source.ts";

export interface Reindex {
  id: string;
  workspaceId: string | null;
  folderId: string | null;
  operationId: string | null;
  state: "waiting" | "running" | "done" | "failed";
  /** Null while places are written. */
  source: string | null;
  lastId: string | null;
  done: number;
  total: number;
  skipped: number;
  failure: string | null;
  createdAt: Date;
}

const columns = sql`
  id, workspace_id as "workspaceId", folder_id as "folderId", operation_id as "operationId", state, source,
  last_id as "lastId", done, total, skipped, failure, created_at as "createdAt"`;

/** The reindex that runs for exactly this scope. */
export async function findOpenReindex(
  { db, tenantId }: TenantTransaction,
  { workspaceId, folderId }: SearchScope,
  lock?: "lock",
): Promise<Reindex | undefined> {
  const { rows } = await sql<Reindex>`
    select ${columns} from app.search_reindex
    where tenant_id = ${tenantId} and ended_at is null and workspace_id is not distinct from ${workspaceId ?? null}::uuid
      and folder_id is not distinct from ${folderId ?? null}::uuid ${lock ? sql`for update` : sql``}`.execute(
    db,
  );
  return rows[0];
}

export async function listOpenReindexes({ db, tenantId }: TenantTransaction): Promise<Reindex[]> {
  const { rows } = await sql<Reindex>`
    select ${columns} from app.search_reindex where tenant_id = ${tenantId} and ended_at is null
    order by created_at`.execute(db);
  return rows;
}

/** Undefined if somebody else was faster. */
export async function insertReindex(
  { db, tenantId }: TenantTransaction,
  { workspaceId, folderId }: SearchScope,
  total: number,
): Promise<Reindex | undefined> {
  const { rows } = await sql<Reindex>`
    insert into app.search_reindex (tenant_id, workspace_id, folder_id, total)
    values (${tenantId}, ${workspaceId ?? null}, ${folderId ?? null}, ${total})
    on conflict do nothing returning ${columns}`.execute(db);
  return rows[0];
}

export async function giveOperation(
  { db, tenantId }: TenantTransaction,
  id: string,
  operationId: string,
): Promise<void> {
  await sql`
    update app.search_reindex set operation_id = ${operationId}
    where tenant_id = ${tenantId} and id = ${id}`.execute(db);
}

/** The next reindex, claimed until the lease ends. */
export interface Claim {
  tenantId: string;
  id: string;
  leaseId: string;
}

const lease = "2 minutes";

export async function claimReindex(
  database: Pick<Database, "withDirectory">,
  leaseId: string,
  served: readonly string[],
): Promise<Claim | undefined> {
  return database.withDirectory(async (db) => {
    const { rows } = await sql<Omit<Claim, "leaseId">>`
      select tenant_id as "tenantId", id
      from app.next_search_reindex(${leaseId}, ${lease}::interval, ${served})`.execute(db);
    return rows[0] && { ...rows[0], leaseId };
  });
}

/** Until the transaction ends nobody else can continue it; undefined if another worker has it. */
export async function lockClaimed(
  { db, tenantId }: TenantTransaction,
  { id, leaseId }: Claim,
): Promise<Reindex | undefined> {
  const { rows } = await sql<Reindex>`
    select ${columns} from app.search_reindex
    where tenant_id = ${tenantId} and id = ${id} and lease_id = ${leaseId} and ended_at is null for update`.execute(
    db,
  );
  return rows[0];
}

export async function saveReindex(transaction: TenantTransaction, reindex: Reindex): Promise<void> {
  const { db, tenantId } = transaction;
  const { id, state, source, lastId, done, total, skipped, failure, operationId } = reindex;
  const hasEnded = state === "done" || state === "failed";
  await sql`
    update app.search_reindex
    set state = ${state}, source = ${source}, last_id = ${lastId}, done = ${done}, total = ${total}, skipped = ${skipped},
      failure = ${failure}, touched_at = now(), leased_until = now() + ${lease}::interval,
      ended_at = ${hasEnded ? sql`now()` : sql`null`}
    where tenant_id = ${tenantId} and id = ${id}`.execute(db);
  if (operationId) await tellProgress(transaction, operationId, { state, done, total, note: failure });
}

/** The next worker can continue it. */
export async function releaseClaim(
  { db, tenantId }: TenantTransaction,
  { id, leaseId }: Claim,
): Promise<void> {
  await sql`
    update app.search_reindex set lease_id = null, leased_until = null, touched_at = now()
    where tenant_id = ${tenantId} and id = ${id} and lease_id = ${leaseId}`.execute(db);
}

/** Tenants whose index is from another analyser, or missing. */
export async function tenantsToReindex(
  database: Pick<Database, "withDirectory">,
  analyser: number,
  limit: number,
): Promise<string[]> {
  return database.withDirectory(async (db) => {
    const { rows } = await sql<{ id: string }>`
      select id from app.tenants_to_reindex(${analyser}::smallint, ${limit}) as stale (id)`.execute(db);
    return rows.map(({ id }) => id);
  });
}
