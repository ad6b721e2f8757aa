import type pg from "pg";
import type { Migration } from "./migrations.ts";

/** What the database says about a migration that was applied to it. */
export interface AppliedMigration {
  name: string;
  digest: string;
  contractAfter: string | null;
}

/** The database was created by other migrations than these. */
export class MigrationMismatch extends Error {
  override readonly name = "MigrationMismatch";
}

/**
 * Creates the table of applied migrations, or brings it up to date. Looks first: ALTER TABLE would wait for every reader,
 * such as a backup, even if it has nothing to do. Processes read it to see whether they fit the schema.
 */
export const recordPreparation = `
  create table if not exists public.svc_migration (
    name text primary key, digest text not null, applied_at timestamptz not null default now());
  do $$
  begin
    if not exists (
      select from pg_attribute where attrelid = 'public.svc_migration'::regclass and attname = 'contract_after')
    then
      alter table public.svc_migration add column contract_after text;
    end if;
    if not (has_table_privilege('svc_app', 'public.svc_migration', 'select')
      and has_table_privilege('svc_worker', 'public.svc_migration', 'select'))
    then
      grant select on public.svc_migration to svc_app, svc_worker;
    end if;
  end $$`;

/** Also for a database without the table, or with that of an earlier version. */
export async function readRecord(client: pg.Client): Promise<AppliedMigration[]> {
  const { rows: tables } = await client.query("select to_regclass('public.svc_migration') as found");
  if (tables[0]?.found === null) return [];
  const { rows } = await client.query<AppliedMigration>(
    `select name, digest, to_jsonb(svc_migration) ->> 'contract_after' as "contractAfter"
     from public.svc_migration order by name`,
  );
  return rows;
}

export async function recordMigration(
  client: pg.Client,
  { name, digest, contractAfter }: Migration,
): Promise<void> {
  await client.query("insert into public.svc_migration (name, digest, contract_after) values ($1, $2, $3)", [
    name,
    digest,
    contractAfter,
  ]);
}

/**
 * Migrations that the database lacks. A database that is ahead of this version lacks none, as after a release was
 * rolled back; one that is ahead and lacks some was migrated by another line of versions.
 */
export function findMissing(
  migrations: readonly Migration[],
  applied: readonly AppliedMigration[],
): Migration[] {
  const digests = new Map(applied.map(({ name, digest }) => [name, digest]));
  const changed = migrations.find(({ name, digest }) => (digests.get(name) ?? digest) !== digest);
  if (changed) {
    throw new MigrationMismatch(
      `${changed.name} was changed after it was applied; write a new migration instead`,
    );
  }
  const missing = migrations.filter(({ name }) => !digests.has(name));
  const names = new Set(migrations.map(({ name }) => name));
  const unknown = applied.find(({ name }) => !names.has(name));
  if (unknown && missing.length > 0) {
    throw new MigrationMismatch(
      `the database has ${unknown.name}, which this version does not know: svc is older than the database`,
    );
  }
  return missing;
}
