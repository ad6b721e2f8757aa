import type { TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";
import { lockSetting, modelsOf, type Setting, saveSetting } from "./setting-store.ts";

/** Grace period in which turning it back on costs nothing. */
const graceMillis = 7 * 86_400_000;

export async function dropLater(
  { db, tenantId, now }: TenantTransaction,
  workspaceId: string,
): Promise<void> {
  await sql`
    insert into app.embedding_opt_out (tenant_id, workspace_id, drop_at)
    values (${tenantId}, ${workspaceId}, ${new Date(now.getTime() + graceMillis)})
    on conflict (tenant_id, workspace_id) do nothing`.execute(db);
}

/** Waits for a transaction that drops them: what is gone then is embedded again. */
export async function keepAfterAll({ db, tenantId }: TenantTransaction, workspaceId: string): Promise<void> {
  await sql`
    delete from app.embedding_opt_out where tenant_id = ${tenantId} and workspace_id = ${workspaceId}`.execute(
    db,
  );
}

/** Drops the vectors of a workspace whose time is up; returns how many. A caller who turns it on again waits. */
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

/** Drops the vectors of models that the tenant no longer has or keeps for switching back; returns how many. */
export async function dropFormerModels(transaction: TenantTransaction, now: Date): Promise<number> {
  const { db, tenantId } = transaction;
  const setting = await forgetPrevious(transaction, now);
  // Uses only an index; the many rows are read only if there is something to drop.
  const { rows } = await sql<{ model: string }>`
    select distinct model from app.file_embedding where tenant_id = ${tenantId}`.execute(db);
  const former = rows.map(({ model }) => model).filter((model) => !modelsOf(setting).includes(model));
  if (former.length === 0) return 0;
  const { numAffectedRows } = await sql`
    delete from app.file_embedding where tenant_id = ${tenantId} and model = any(${former})`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** The setting, locked; without the previous model if its time is up. */
async function forgetPrevious(transaction: TenantTransaction, now: Date): Promise<Setting> {
  const setting = await lockSetting(transaction);
  if (setting.previousUntil === null || setting.previousUntil > now) return setting;
  const without = { ...setting, previousModel: null, previousUntil: null };
  await saveSetting(transaction, without);
  return without;
}
