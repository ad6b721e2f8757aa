import { randomUUID } from "node:crypto";
import { Database } from "@svc/database/database";
import { createTestDatabase, type TestDatabase } from "@svc/testing/test-database";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeEach, expect, test } from "vitest";
import { type SearchDocument, writeDocuments } from "./documents.ts";
import { mergeShelf, nextShelfToMerge, relieveShelves } from "./merge-shelf.ts";
import { sharedShelf } from "./shelf.ts";

const tenantId = randomUUID();
const scope = { tenantId, actorId: tenantId };
const shelf = sharedShelf(tenantId);

let testDatabase: TestDatabase | undefined;
let database: Database;
let worker: Database;
let admin: pg.Client;

beforeEach(async () => {
  await close();
  testDatabase = await createTestDatabase();
  database = new Database({ url: testDatabase.appUrl });
  worker = new Database({ url: testDatabase.workerUrl });
  admin = new pg.Client({ connectionString: testDatabase.adminUrl });
  await admin.connect();
  await admin.query("create extension pgstattuple");
  // It would empty the pending lists while a slow machine fills them.
  await admin.query(`alter table app.search_document_${shelf} set (autovacuum_enabled = off)`);
});
afterAll(close);

async function close(): Promise<void> {
  if (!testDatabase) return;
  await Promise.all([database.close(), worker.close(), admin.end()]);
  await testDatabase.drop();
}

test("a shelf is due after 400 documents", async () => {
  await put(399);
  expect(await nextShelfToMerge(worker)).toBeUndefined();
  await put(1);
  expect(await nextShelfToMerge(worker)).toBe(shelf);
});

test("during an import it is due after 1,600", async () => {
  await put(1_599, 100);
  expect(await nextShelfToMerge(worker)).toBeUndefined();
  await put(1);
  expect(await nextShelfToMerge(worker)).toBe(shelf);
});

test("a few long texts make it due as well", async () => {
  const text = "apple ".repeat(14_000);
  await put(28, 1, text);
  expect(await nextShelfToMerge(worker)).toBeUndefined();
  await put(1, 1, text);
  expect(await nextShelfToMerge(worker)).toBe(shelf);
});

test("so does the time that a document waited", async () => {
  await put(1);
  expect(await nextShelfToMerge(worker)).toBeUndefined();
  await admin.query("update app.search_place_delta set at = at - interval '31 seconds'");
  expect(await nextShelfToMerge(worker)).toBe(shelf);
});

test("merging empties both pending lists, and everything is found before and after", async () => {
  await put(50);
  expect(await pending()).toEqual({ word: 50, name: 50 });
  expect(await found()).toBe(50);
  await mergeShelf(worker, shelf);
  expect(await pending()).toEqual({ word: 0, name: 0 });
  expect(await found()).toBe(50);
  expect(await nextShelfToMerge(worker)).toBeUndefined();
});

test("without a worker, writers merge shelves that should have been merged long ago", async () => {
  const relieve = () => database.withTenant(scope, "write", relieveShelves);
  await put(799);
  await relieve();
  expect(await pending()).toEqual({ word: 799, name: 799 });
  await put(1);
  await relieve();
  expect(await pending()).toEqual({ word: 0, name: 0 });
});

/** In statements of `atOnce`. */
async function put(count: number, atOnce = 20, text = "pear"): Promise<void> {
  for (let done = 0; done < count; done += atOnce) {
    const documents = Array.from({ length: Math.min(atOnce, count - done) }, () => documentOf(text));
    await database.withTenant(scope, "write", (transaction) => writeDocuments(transaction, documents));
  }
}

async function pending() {
  const { rows } = await admin.query(
    `select (pgstatginindex('app.search_document_${shelf}_by_word')).pending_tuples::int as word,
       (pgstatginindex('app.search_document_${shelf}_by_name')).pending_tuples::int as name`,
  );
  return rows[0];
}

function found(): Promise<number> {
  return database.withTenant(scope, "read", async ({ db }) => {
    await sql`select set_config('enable_seqscan', 'off', true), set_config('enable_indexscan', 'off', true)`.execute(
      db,
    );
    const { rows } = await sql<{ found: number }>`
      select count(*) as found from app.searchable
      where tenant_id = ${tenantId} and shelf_id = ${shelf} and body_tsv @@ 'pear' and whole_name like '%file%'`.execute(
      db,
    );
    return rows[0]?.found ?? 0;
  });
}

function documentOf(text: string): SearchDocument {
  const id = randomUUID();
  return {
    id,
    entityType: "FILE",
    workspaceId: tenantId,
    placeId: tenantId,
    name: "file.txt",
    text,
    mediaType: "text/plain",
    ownerId: null,
    updatedAt: new Date(0),
    contentVersion: 1,
  };
}
