import type { TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";

export interface Settings {
  /** Who can create workspaces. Administrators always can. */
  workspaceCreation: "members" | "administrators" | "everyone";
  /** Commands and groups for which AI members need an approval, beside those that always need one. */
  approvalsFor: string[];
  approvalMinutes: number;
}

const defaults: Settings = { workspaceCreation: "members", approvalsFor: [], approvalMinutes: 10 };

/** Version 0 if nobody has changed anything yet. */
export type StoredSettings = Settings & { version: number };

export async function readSettings({ db, tenantId }: TenantTransaction): Promise<StoredSettings> {
  const row = await db
    .selectFrom("app.tenant_setting")
    .select([
      sql<Settings["workspaceCreation"]>`workspace_creation`.as("workspaceCreation"),
      "approvals_for as approvalsFor",
      "approval_minutes as approvalMinutes",
      "version",
    ])
    .where("tenant_id", "=", tenantId)
    .executeTakeFirst();
  return row ?? { ...defaults, version: 0 };
}

/** False if they have another version by now. */
export async function saveSettings(
  { db, tenantId }: TenantTransaction,
  { workspaceCreation, approvalsFor, approvalMinutes, version }: StoredSettings,
  before: number,
): Promise<boolean> {
  const values = {
    workspace_creation: workspaceCreation,
    approvals_for: approvalsFor,
    approval_minutes: approvalMinutes,
    version,
  };
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("app.tenant_setting")
    .values({ tenant_id: tenantId, ...values })
    .onConflict((conflict) =>
      conflict
        .column("tenant_id")
        .doUpdateSet(values)
        .where(sql<boolean>`tenant_setting.version = ${before}`),
    )
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}
