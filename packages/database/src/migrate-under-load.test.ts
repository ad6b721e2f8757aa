import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { databaseUrl, ensureDatabase, withAdmin } from "./development-server.ts";
import { allLocksMillis, lockMillis, migrate } from "./migrate.ts";

const name = `svc_migrate_${randomBytes(6).toString("hex")}`;
const url = databaseUrl(name);
let folder: string;
let clients: pg.Client[];
let lines: string[];
let looking: pg.Client;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "svc-migrate-"));
  clients = [];
  lines = [];
  await ensureDatabase(name);
  await writeFile(
    join(folder, "0001_shelf.sql"),
    "create schema shop; create table shop.shelf (id int); insert into shop.shelf values (1);",
  );
  await migrate(url, { folder });
  looking = await connect();
});
afterEach(async () => {
  for (const client of clients) await client.end();
  await withAdmin((client) => client.query(`drop database ${name} with (force)`));
  await rm(folder, { recursive: true });
});

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  clients.push(client);
  await client.connect();
  return client;
}

/** A report that has read the table and still has its transaction open. */
async function beginLongRead(): Promise<pg.Client> {
  const reader = await connect();
  await reader.query("begin; select from shop.shelf");
  return reader;
}

/** Reads as the API does, all the time until it is enough. */
async function readUntil(isEnough: () => boolean): Promise<void> {
  const bystander = await connect();
  await bystander.query("set statement_timeout = '1min'");
  do await bystander.query("select from shop.shelf");
  while (!isEnough());
}

/** Until the migration has waited so long for a lock on the table, or for transactions. */
async function waitsFor(millis: number, table?: string): Promise<boolean> {
  const { rowCount } = await looking.query(
    `select from pg_locks where not granted and clock_timestamp() - waitstart > $1 * interval '1 ms'
       and relation is not distinct from $2::regclass`,
    [millis, table],
  );
  return (rowCount ?? 0) > 0;
}

const report = (line: string) => lines.push(line);
const isRefused = () => lines.some((line) => line.includes("next attempt"));

test("readers get through while a migration tries to get past a long transaction", {
  tags: ["long"],
}, async () => {
  await writeFile(join(folder, "0002_size.sql"), "alter table shop.shelf add column size int;");
  const reader = await beginLongRead();
  const migrating = migrate(url, { folder, report });
  await expect.poll(() => waitsFor(0, "shop.shelf")).toBe(true);
  await Promise.all([readUntil(isRefused), readUntil(isRefused), readUntil(isRefused)]);
  // All were answered while the long transaction is still open.
  await reader.query("commit");
  expect(await migrating).toEqual(["0002_size.sql"]);
  expect(lockMillis).toBeLessThanOrEqual(1_000);
  expect(lines).toContainEqual(
    expect.stringMatching(
      /^0002_size.sql: waiting for pid \d+ \(\w+, idle in transaction, transaction open for/,
    ),
  );
  expect(lines).toContainEqual(expect.stringMatching(/lock timeout; next attempt in \d\.\d s$/));
  expect(lines.at(-1)).toMatch(/^0002_size.sql: applied in \d+\.\d s$/);
});

test("a migration that gets no lock in time gives up, names the file, and leaves nothing", async () => {
  await writeFile(join(folder, "0002_size.sql"), "alter table shop.shelf add column size int;");
  await beginLongRead();
  await expect(migrate(url, { folder, report, patienceMillis: 500 })).rejects.toThrow(
    "migration 0002_size.sql failed: gave up after attempt 1: canceling statement due to lock timeout",
  );
  const other = await connect();
  const { rows } = await other.query("select * from shop.shelf");
  expect(rows).toEqual([{ id: 1 }]);
});

test("an index is built past long transactions: nobody waits behind it, and it waits for them", {
  tags: ["long"],
}, async () => {
  await writeFile(
    join(folder, "0002_index.sql"),
    "-- outside transaction\ncreate index concurrently if not exists shelf_by_id on shop.shelf (id);",
  );
  const reader = await beginLongRead();
  await reader.query("insert into shop.shelf values (2)");
  const migrating = migrate(url, { folder, report });
  await expect.poll(() => waitsFor(1.5 * allLocksMillis)).toBe(true);
  await readUntil(() => true);
  // It is answered while the index still waits for the transaction.
  expect(await waitsFor(0)).toBe(true);
  await reader.query("commit");
  expect(await migrating).toEqual(["0002_index.sql"]);
  expect(lines).not.toContainEqual(expect.stringContaining("next attempt"));
});

test("waits for several locks do not add up", { tags: ["long"] }, async () => {
  const tables = ["shop.box", "shop.bag", "shop.bin"];
  await writeFile(
    join(folder, "0002_tables.sql"),
    tables.map((table) => `create table ${table} ();`).join(""),
  );
  await migrate(url, { folder });
  await writeFile(
    join(folder, "0003_size.sql"),
    // No lock alone may end it.
    ["set local lock_timeout = '10min';"]
      .concat(["shop.shelf", ...tables].map((table) => `alter table ${table} add column size int;`))
      .join(""),
  );
  const readers = await Promise.all(tables.map(() => connect()));
  for (const [index, reader] of readers.entries()) await reader.query(`begin; select from ${tables[index]}`);
  const migrating = migrate(url, { folder, report });
  // Each is gone before the time is over, but the first table stays locked.
  const [box, bag, bin] = readers;
  await expect.poll(() => waitsFor(0, "shop.box")).toBe(true);
  const bystander = readUntil(isRefused);
  for (const [reader, table] of [
    [box, "shop.box"],
    [bag, "shop.bag"],
  ] as const) {
    await expect.poll(async () => isRefused() || (await waitsFor(0.7 * allLocksMillis, table))).toBe(true);
    await reader?.query("commit");
  }
  // It is answered while the last transaction is still open.
  await bystander;
  await bin?.query("commit");
  expect(await migrating).toEqual(["0003_size.sql"]);
  expect(lines).toContainEqual(expect.stringMatching(/waited too long for several locks; next attempt/));
  expect(allLocksMillis).toBeLessThanOrEqual(1_200);
});
