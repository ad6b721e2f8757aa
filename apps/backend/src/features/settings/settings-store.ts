import type { TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";

export interface Settings {
  /** Who can create workspaces. Administrators always can. */
  workspaceCreation: "members" | "administrators" | "everyone";
}

const defaults: Settings = { workspaceCreation: "members" };

/** Version 0 if nobody has changed anything yet. */
export type StoredSettings = Settings & { version: number };

export async function readSettings({ db, tenantId }: TenantTransaction): Promise<StoredSettings> {
  const row = await db
    .selectFrom("app.tenant_setting")
    .select([sql<Settings["workspaceCreation"]>`workspace_creation`.as("workspaceCreation"), "version"])
    .where("tenant_id", "=", tenantId)
    .executeTakeFirst();
  return row ?? { ...defaults, version: 0 };
}

/** False if they have another version by now. */
export async function saveSettings(
  { db, tenantId }: TenantTransaction,
  { workspaceCreation, version }: StoredSettings,
  before: number,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("app.tenant_setting")
    .values({ tenant_id: tenantId, workspace_creation: workspaceCreation, version })
    .onConflict((conflict) =>
      conflict
        .column("tenant_id")
        .doUpdateSet({ workspace_creation: workspaceCreation, version })
        .where(sql<boolean>`tenant_setting.version = ${before}`),
    )
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}
