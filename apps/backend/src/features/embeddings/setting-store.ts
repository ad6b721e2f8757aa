import type { TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";

/** What an administrator decided of embedding. */
export interface Setting {
  cron: string | null;
  model: string | null;
  nextModel: string | null;
  previousModel: string | null;
  previousUntil: Date | null;
  version: number;
}

/** Whose vectors are kept up: of the model that answers, of the one that is to follow it, and of the one to go back to. */
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

/** Until the transaction ends nobody changes it; others may hold it as well. */
export async function holdSetting({ db, tenantId }: TenantTransaction): Promise<Setting> {
  const { rows } = await sql<Setting>`
    select ${settingColumns} from app.embedding_setting where tenant_id = ${tenantId} for share`.execute(db);
  return rows[0] ?? noSetting;
}

/** Until the transaction ends nobody else changes it, not even one that was not there. */
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
