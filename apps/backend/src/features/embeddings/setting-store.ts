import type { TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";

/** An administrator's decisions about embedding. */
export interface Setting {
  cron: string | null;
  model: string | null;
  nextModel: string | null;
  previousModel: string | null;
  previousUntil: Date | null;
  version: number;
}

/** Models whose vectors are kept up to date: the active, the next and the previous one. */
export function modelsOf({ model, nextModel, previousModel }: Setting): string[] {
  return [model, nextModel, previousModel].filter((name) => name !== null);
}

const noSetting: Setting = {
  cron: null,
  model: null,
  nextModel: null,
  previousModel: null,
  previousUntil: null,
  version: 1,
};

const settingColumns = sql`
  cron, model, next_model as "nextModel", previous_model as "previousModel", previous_until as "previousUntil", version`;

export async function readSetting({ db, tenantId }: TenantTransaction): Promise<Setting> {
  const { rows } = await sql<Setting>`
    select ${settingColumns} from app.embedding_setting where tenant_id = ${tenantId}`.execute(db);
  return rows[0] ?? noSetting;
}

/** Shared lock: until the transaction ends nobody changes it. */
export async function holdSetting({ db, tenantId }: TenantTransaction): Promise<Setting> {
  const { rows } = await sql<Setting>`
    select ${settingColumns} from app.embedding_setting where tenant_id = ${tenantId} for share`.execute(db);
  return rows[0] ?? noSetting;
}

/** Exclusive lock: until the transaction ends nobody else changes it, even if it does not exist yet. */
export async function lockSetting({ db, tenantId }: TenantTransaction): Promise<Setting> {
  const { rows } = await sql<Setting>`
    insert into app.embedding_setting as setting (tenant_id) values (${tenantId})
    on conflict (tenant_id) do update set version = setting.version returning ${settingColumns}`.execute(db);
  return rows[0] ?? noSetting;
}

export async function saveSetting({ db, tenantId }: TenantTransaction, setting: Setting): Promise<void> {
  const { cron, model, nextModel, previousModel, previousUntil, version } = setting;
  await sql`
    update app.embedding_setting
    set cron = ${cron}, model = ${model}, next_model = ${nextModel}, previous_model = ${previousModel},
      previous_until = ${previousUntil}, version = ${version}
    where tenant_id = ${tenantId}`.execute(db);
}
