import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { requireDirectConnection } from "./connections/require-direct-connection.ts";
import { dropInvalidIndexes } from "./invalid-indexes.ts";
import { type LockPatience, repeatUntilLocked } from "./lock-patience.ts";
import { LockWatch } from "./lock-watch.ts";
import { findMissing, readRecord, recordMigration, recordPreparation } from "./migration-record.ts";
import { type Migration, migrationsFolder, readMigrations } from "./migrations.ts";
import { createRoles } from "./roles.ts";

interface MigrateOptions extends Partial<LockPatience> {
  folder?: string;
}

/** A migration that could not be applied. Those before it were, and stay. */
export class MigrationFailure extends Error {
  override readonly name = "MigrationFailure";
}

/** How long a migration waits for one lock, and for all of them, before it lets those through who wait behind it. */
export const lockMillis = 1_000;
export const allLocksMillis = 1_200;

/** Any number that no other advisory lock in this database uses. */
const advisoryLock = 7_310_551;

/**
 * Applies missing migrations, in order, forward only, while others work. Each migration is one transaction as svc_owner;
 * two processes that start at once take turns. A migration whose text changed after it was applied is an error, not a
 * second run.
 */
export async function migrate(
  adminUrl: string,
  { folder = migrationsFolder, patienceMillis = 300_000, report = () => {} }: MigrateOptions = {},
): Promise<string[]> {
  return withClient(adminUrl, async (client) => {
    // The administrator's role can have time limits, which would end a long migration.
    await client.query(
      `set lock_timeout = ${lockMillis}; set statement_timeout = 0; set transaction_timeout = 0`,
    );
    await takeTurn(client, report);
    await repeatUntilLocked(() => prepare(client), { patienceMillis, report });
    const missing = findMissing(await readMigrations(folder), await readRecord(client));
    if (missing.length > 0) await applyAll(client, adminUrl, missing, { patienceMillis, report });
    return missing.map(({ name }) => name);
  });
}

/** What `migrate` would apply. Changes nothing, and waits for nobody. */
export async function planMigrations(adminUrl: string, folder = migrationsFolder): Promise<Migration[]> {
  return withClient(adminUrl, async (client) =>
    findMissing(await readMigrations(folder), await readRecord(client)),
  );
}

async function withClient<T>(adminUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: adminUrl });
  // A connection that breaks during a pause. The next query fails with it.
  client.on("error", () => {});
  await client.connect();
  try {
    await requireDirectConnection(client);
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Polls: a statement that waits for the lock holds a snapshot, and CREATE INDEX CONCURRENTLY in the running migration
 * would wait for that snapshot, until PostgreSQL calls it a deadlock.
 */
async function takeTurn(client: pg.Client, report: LockPatience["report"]): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const { rows } = await client.query("select pg_try_advisory_lock($1) as taken", [advisoryLock]);
    if (rows[0]?.taken) return;
    if (attempt % 100 === 0) report("another migrate is running; waiting for it");
    await sleep(100);
  }
}

async function prepare(client: pg.Client): Promise<void> {
  await createRoles(client);
  await client.query(recordPreparation);
}

async function applyAll(
  client: pg.Client,
  adminUrl: string,
  migrations: readonly Migration[],
  patience: LockPatience,
): Promise<void> {
  const watch = await LockWatch.open(adminUrl, client);
  try {
    for (const migration of migrations) await apply(client, watch, migration, patience);
  } finally {
    await watch.close();
  }
}

async function apply(
  client: pg.Client,
  watch: LockWatch,
  migration: Migration,
  { patienceMillis, report }: LockPatience,
): Promise<void> {
  const tell = (line: string) => report(`${migration.name}: ${line}`);
  const run = migration.outsideTransaction ? runOutsideTransaction : runInTransaction;
  const maxWaitMillis = migration.outsideTransaction ? patienceMillis : allLocksMillis;
  const patience = { patienceMillis, report: tell };
  const begun = performance.now();
  try {
    await repeatUntilLocked(
      () => watch.during(() => run(client, migration, patience), { report: tell, maxWaitMillis }),
      patience,
    );
  } catch (error) {
    throw new MigrationFailure(`migration ${migration.name} failed: ${(error as Error).message}`, {
      cause: error,
    });
  }
  tell(`applied in ${((performance.now() - begun) / 1_000).toFixed(1)} s`);
}

async function runInTransaction(client: pg.Client, migration: Migration): Promise<void> {
  await client.query("begin");
  try {
    await client.query("set local role svc_owner");
    await client.query(migration.sql);
    await client.query("reset role");
    await recordMigration(client, migration);
    await client.query("commit");
  } catch (error) {
    // On a broken connection it fails too, and there is nothing left to roll back.
    await client.query("rollback").catch(() => {});
    throw error;
  }
}

/**
 * CREATE INDEX CONCURRENTLY waits for transactions that began before it, but nobody waits behind it: it can wait for as
 * long as there is patience.
 */
async function runOutsideTransaction(
  client: pg.Client,
  migration: Migration,
  { patienceMillis, report }: LockPatience,
): Promise<void> {
  await client.query(`set lock_timeout = ${Math.ceil(patienceMillis)}`);
  try {
    await dropInvalidIndexes(client, report);
    await client.query("set role svc_owner");
    // PostgreSQL runs a file as one implicit transaction, so these files hold one statement each.
    await client.query(migration.sql);
  } finally {
    await client.query(`reset role; set lock_timeout = ${lockMillis}`).catch(() => {});
  }
  await recordMigration(client, migration);
}
