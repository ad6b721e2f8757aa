import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { createRoles } from "./roles.ts";

export const migrationsFolder = fileURLToPath(new URL("../migrations", import.meta.url));

export interface Migration {
  name: string;
  sql: string;
  digest: string;
  /**
   * First line `-- outside transaction`: for CREATE INDEX CONCURRENTLY and similar statements. Must be safe to repeat.
   */
  outsideTransaction: boolean;
}

/** Any number that no other advisory lock in this database uses. */
const advisoryLock = 7_310_551;

/**
 * Applies missing migrations, in order, forward only. Each migration is one transaction as svc_owner; two processes
 * that start at once take turns. A migration whose text changed after it was applied is an error, not a second run.
 */
export async function migrate(adminUrl: string, folder = migrationsFolder): Promise<string[]> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await takeTurn(client);
    await createRoles(client);
    await client.query(
      `create table if not exists public.svc_migration (
         name text primary key, digest text not null, applied_at timestamptz not null default now())`,
    );
    const missing = findMissing(await readMigrations(folder), await readApplied(client));
    for (const migration of missing) await apply(client, migration);
    return missing.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

/**
 * Polls: a statement that waits for the lock holds a snapshot, and CREATE INDEX CONCURRENTLY in the running migration
 * would wait for that snapshot, until PostgreSQL calls it a deadlock.
 */
async function takeTurn(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query("select pg_try_advisory_lock($1) as taken", [advisoryLock]);
    if (rows[0]?.taken) return;
    await sleep(100);
  }
}

export async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(folder, name), "utf8");
      const digest = createHash("sha256").update(sql).digest("hex");
      return { name, sql, digest, outsideTransaction: /^-- outside transaction\b/.test(sql) };
    }),
  );
}

async function readApplied(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; digest: string }>(
    "select name, digest from public.svc_migration",
  );
  return new Map(rows.map(({ name, digest }) => [name, digest]));
}

/** The database was created by other migrations than these. */
export class MigrationMismatch extends Error {
  override readonly name = "MigrationMismatch";
}

function findMissing(migrations: Migration[], applied: ReadonlyMap<string, string>): Migration[] {
  const names = new Set(migrations.map(({ name }) => name));
  for (const name of applied.keys()) {
    if (!names.has(name)) {
      throw new MigrationMismatch(
        `the database has ${name}, which this version does not know: svc is older than the database`,
      );
    }
  }
  for (const { name, digest } of migrations) {
    const before = applied.get(name);
    if (before !== undefined && before !== digest) {
      throw new MigrationMismatch(`${name} was changed after it was applied; write a new migration instead`);
    }
  }
  return migrations.filter(({ name }) => !applied.has(name));
}

async function apply(client: pg.Client, { name, sql, digest, outsideTransaction }: Migration): Promise<void> {
  const record = () =>
    client.query("insert into public.svc_migration (name, digest) values ($1, $2)", [name, digest]);
  try {
    if (outsideTransaction) {
      await client.query("set role svc_owner");
      // PostgreSQL runs a file as one implicit transaction, so these files hold one statement each.
      await client.query(sql);
      await client.query("reset role");
      await record();
      return;
    }
    await client.query("begin");
    await client.query("set local role svc_owner");
    await client.query(sql);
    await client.query("reset role");
    await record();
    await client.query("commit");
  } catch (error) {
    throw new Error(`migration ${name} failed: ${(error as Error).message}`, { cause: error });
  }
}
