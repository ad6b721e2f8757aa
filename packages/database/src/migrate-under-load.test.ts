import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Stopwatch } from "@svc/testing/stopwatch";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { databaseUrl, ensureDatabase, withAdmin } from "./development-server.ts";
import { migrate } from "./migrate.ts";

const name = `svc_migrate_${randomBytes(6).toString("hex")}`;
const url = databaseUrl(name);
let folder: string;
let clients: pg.Client[];
let lines: string[];

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

/** Reads all the time, as the API does; the longest read, in milliseconds. */
async function readUntil(stopped: AbortSignal): Promise<number> {
  const bystander = await connect();
  let longest = 0;
  while (!stopped.aborted) {
    const watch = new Stopwatch();
    await bystander.query("select from shop.shelf");
    longest = Math.max(longest, watch.stop());
    await sleep(5);
  }
  return longest;
}

const report = (line: string) => lines.push(line);

test("readers wait a second at most while a migration tries to get past a long transaction", {
  tags: ["long"],
}, async () => {
  await writeFile(join(folder, "0002_size.sql"), "alter table shop.shelf add column size int;");
  const reader = await beginLongRead();
  const stop = new AbortController();
  const bystanders = [readUntil(stop.signal), readUntil(stop.signal), readUntil(stop.signal)];

  const migrating = migrate(url, { folder, report });
  await sleep(7_000);
  await reader.query("commit");
  expect(await migrating).toEqual(["0002_size.sql"]);
  stop.abort();

  const longest = Math.max(...(await Promise.all(bystanders)));
  process.stdout.write(`migrate behind a long transaction: the longest read took ${longest.toFixed(0)} ms\n`);
  expect(longest).toBeLessThan(1_500);
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
  await reader.query("select txid_current()");
  const stop = new AbortController();
  const bystander = readUntil(stop.signal);
  const migrating = migrate(url, { folder, report });
  await sleep(2_500);
  await reader.query("commit");
  expect(await migrating).toEqual(["0002_index.sql"]);
  stop.abort();
  expect(await bystander).toBeLessThan(1_000);
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
    ["shop.shelf", ...tables].map((table) => `alter table ${table} add column size int;`).join(""),
  );
  const readers = await Promise.all(tables.map(() => connect()));
  for (const [index, reader] of readers.entries()) await reader.query(`begin; select from ${tables[index]}`);
  const stop = new AbortController();
  const bystander = readUntil(stop.signal);

  const migrating = migrate(url, { folder, report });
  // Each is gone before its lock times out, but the first table stays locked.
  for (const reader of readers) {
    await sleep(800);
    await reader.query("commit");
  }
  expect(await migrating).toEqual(["0003_size.sql"]);
  stop.abort();
  expect(await bystander).toBeLessThan(1_500);
});
