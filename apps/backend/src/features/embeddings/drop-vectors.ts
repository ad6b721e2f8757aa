import type { TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";
import { lockSetting, saveSetting } from "./setting-store.ts";

/** For a change of mind: within it nothing is paid for again. */
const graceMillis = 7 * 86_400_000;

export async function dropLater(
  { db, tenantId }: TenantTransaction,
  workspaceId: string,
  now: Date,
): Promise<void> {
  await sql`
    insert into app.embedding_opt_out (tenant_id, workspace_id, drop_at)
    values (${tenantId}, ${workspaceId}, ${new Date(now.getTime() + graceMillis)})
    on conflict (tenant_id, workspace_id) do nothing`.execute(db);
}

/** Waits for who drops them: what is gone then is embedded again. */
export async function keepAfterAll({ db, tenantId }: TenantTransaction, workspaceId: string): Promise<void> {
  await sql`
    delete from app.embedding_opt_out where tenant_id = ${tenantId} and workspace_id = ${workspaceId}`.execute(
    db,
  );
}

/** Those of a workspace whose time is over; how many. Whoever turns it on again meanwhile waits. */
export async function dropWorkspace(
  { db, tenantId }: TenantTransaction,
  workspaceId: string,
  now: Date,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from app.embedding_opt_out
    where tenant_id = ${tenantId} and workspace_id = ${workspaceId} and drop_at <= ${now}`.execute(db);
  if (Number(numAffectedRows ?? 0) === 0) return 0;
  const dropped = await sql`
    delete from app.file_embedding as embedding using app.node as node
    where embedding.tenant_id = ${tenantId} and node.tenant_id = ${tenantId} and node.id = embedding.node_id
      and node.workspace_id = ${workspaceId}`.execute(db);
  return Number(dropped.numAffectedRows ?? 0);
}

/** Those of the model that was switched from, once nobody goes back to it; how many. */
export async function dropModel(transaction: TenantTransaction, now: Date): Promise<number> {
  const { db, tenantId } = transaction;
  const setting = await lockSetting(transaction);
  const { previousModel, previousUntil } = setting;
  if (previousModel === null || previousUntil === null || previousUntil > now) return 0;
  // Another version: what is gone cannot be gone back to.
  const { version } = setting;
  await saveSetting(transaction, {
    ...setting,
    previousModel: null,
    previousUntil: null,
    version: version + 1,
  });
  const { numAffectedRows } = await sql`
    delete from app.file_embedding where tenant_id = ${tenantId} and model = ${previousModel}`.execute(db);
  return Number(numAffectedRows ?? 0);
}
