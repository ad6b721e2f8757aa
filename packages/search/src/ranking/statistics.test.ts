import { randomUUID } from "node:crypto";
import { Database, type TenantTransaction } from "@svc/database/database";
import { createTestDatabase, type TestDatabase } from "@svc/testing/test-database";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { holdDocuments, removeDocuments, type SearchDocument, writeDocuments } from "../index/documents.ts";
import { mergeShelf } from "../index/merge-shelf.ts";
import { beginMove, endMove, moveSome } from "../index/move-shelf.ts";
import { forgetPlace, writePlace } from "../index/places.ts";
import { sharedShelf } from "../index/shelf.ts";
import { parseQuery } from "../query/parse-query.ts";
import { countWords } from "./count-words.ts";
import { mostSampled } from "./sample.ts";
import { type Statistics, StatisticsCache, statisticsMillis } from "./statistics.ts";

let testDatabase: TestDatabase;
let database: Database;
let worker: Database;
let admin: pg.Client;
let tenantId: string;
let workspaceId: string;
let open: string;
let closed: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = new Database({ url: testDatabase.appUrl });
  worker = new Database({ url: testDatabase.workerUrl });
  admin = new pg.Client({ connectionString: testDatabase.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await Promise.all([database.close(), worker.close(), admin.end()]);
  await testDatabase.drop();
});

/** A tenant with two documents in an open place and one in a closed place. */
beforeEach(async () => {
  [tenantId, workspaceId, open, closed] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  await write(async (transaction) => {
    for (const id of [open, closed])
      await writePlace(transaction, { id, workspaceId, parentId: null, scopeId: id, isHidden: false });
    await writeDocuments(transaction, [
      document({ text: "two words" }),
      document({ text: "apple pear plum fig" }),
      document({ placeId: closed, text: "hidden" }),
    ]);
  });
});

test("counts what the caller can see, before and after counters are added up", async () => {
  const counted = { documents: 2, all: 3, averageLength: 3 };
  expect(await statistics()).toMatchObject(counted);
  await addUp();
  expect(await statistics()).toMatchObject(counted);
  expect(await statistics([open, closed])).toMatchObject({ documents: 3, all: 3 });
  expect(await statistics([])).toMatchObject({ documents: 0, all: 3, averageLength: 1 });
});

test("writers append, and nobody waits for another who writes to the same place", async () => {
  await write(async (transaction) => {
    await writeDocuments(transaction, [document({})]);
    await write((other) => writeDocuments(other, [document({})]));
    await addUp();
  });
  expect(await statistics()).toMatchObject({ documents: 4 });
});

const changes: Record<string, (known: SearchDocument) => Promise<unknown>> = {
  "a changed text": (known) =>
    write((transaction) => writeDocuments(transaction, [{ ...known, text: "one" }])),
  "a document in another place": (known) =>
    write((transaction) => writeDocuments(transaction, [{ ...known, placeId: closed }])),
  "a removed document": ({ id }) => write((transaction) => removeDocuments(transaction, [id])),
  "a removed place": () => write((transaction) => forgetPlace(transaction, closed)),
  "a document held for reindexing": (known) =>
    write((transaction) => holdDocuments(transaction, [{ ...known, id: randomUUID() }])),
  "a move to another shelf": () => moveShelf(),
  "a command that fails": (known) =>
    write(async (transaction) => {
      await removeDocuments(transaction, [known.id]);
      throw new Error("failed");
    }).catch(() => {}),
  "a writer of an earlier version": () =>
    admin.query("update app.search_document set place_id = $2, body_length = 9 where tenant_id = $1", [
      tenantId,
      closed,
    ]),
  "counting anew": () => admin.query("select app.count_search_documents($1)", [tenantId]),
  "counting everything anew": () => admin.query("call app.count_all_search_documents()"),
};

test.for(Object.entries(changes))("counters are exact after %s", async ([, change]) => {
  const known = document({ text: "plum fig kiwi" });
  await write((transaction) => writeDocuments(transaction, [known]));
  await addUp();
  await change(known);
  for (const scopes of [[open], [closed], [open, closed]]) {
    expect(await statistics(scopes)).toMatchObject(await truth(scopes));
  }
  await addUp();
  for (const scopes of [[open], [closed], [open, closed]]) {
    expect(await statistics(scopes)).toMatchObject(await truth(scopes));
  }
  const { rows } = await admin.query(
    "select from app.search_place_count where tenant_id = $1 and documents = 0",
    [tenantId],
  );
  expect(rows).toEqual([]);
});

test("hidden documents change nothing but how to search", async () => {
  const { all: _, ...before } = await statistics();
  await write((transaction) => writeDocuments(transaction, [document({ placeId: closed, text: "more" })]));
  expect(await statistics()).toMatchObject(before);
});

test("a search does not wait for statistics longer than a person notices, and does not remember what it assumed", async () => {
  expect(statisticsMillis).toBeLessThan(1_000);
  const cache = new StatisticsCache();
  await admin.query("begin; lock table app.search_place_count in access exclusive mode");
  try {
    // Answered while the table is still locked.
    expect((await statistics([open], cache)).documents).toBeGreaterThan(1_000);
  } finally {
    await admin.query("rollback");
  }
  expect(await statistics([open], cache)).toMatchObject({ documents: 2 });
});

test("if words cannot be counted in time, the search goes on without", async () => {
  const words = { parsed: parseQuery("two words"), content: true };
  const count = (documents: number) =>
    database.withTenant(scope(), "read", async (transaction) => {
      const known = { ...(await statistics()), documents };
      return countWords(transaction, { ...words, source: { ...source(), reach: "row" } }, known, {
        shown: true,
      });
    });
  const many = 2 * mostSampled;
  expect(await count(many)).toEqual([1, 1]);
  await admin.query("begin; lock table app.search_place in access exclusive mode");
  try {
    expect(await count(many)).toEqual([0, 0]);
  } finally {
    await admin.query("rollback");
  }
});

async function statistics(
  scopeIds: readonly string[] = [open],
  cache = new StatisticsCache({ fewFor: 0 }),
): Promise<Statistics> {
  return database.withTenant(scope(), "read", (transaction) => cache.of(transaction, source(scopeIds)));
}

function source(scopeIds: readonly string[] = [open]) {
  const visibility = { workspaceIds: [workspaceId], scopeIds, doorIds: [] };
  return {
    tenantId,
    shelves: [sharedShelf(tenantId)],
    visibility,
    filters: { entityTypes: ["FILE"] as const },
  };
}

async function truth(scopes: readonly string[]) {
  const { rows } = await admin.query<{ documents: number; averageLength: number; all: number }>(
    `select count(*) filter (where place_id = any($2))::int as documents, count(*)::int as all,
       greatest(1, coalesce(avg(body_length) filter (where place_id = any($2)), 0))::float8 as "averageLength"
     from app.search_document where tenant_id = $1`,
    // A forgotten place is nowhere.
    [tenantId, await existing(scopes)],
  );
  return rows[0] ?? {};
}

async function existing(places: readonly string[]): Promise<string[]> {
  const { rows } = await admin.query<{ id: string }>("select id from app.search_place where id = any($1)", [
    places,
  ]);
  return rows.map(({ id }) => id);
}

async function addUp(): Promise<void> {
  const { rows } = await admin.query<{ shelf: number }>(
    "select distinct shelf_id as shelf from app.search_place_delta where tenant_id = $1",
    [tenantId],
  );
  for (const { shelf } of rows) await mergeShelf(worker, shelf);
}

async function moveShelf(): Promise<void> {
  const move = <T>(work: (transaction: TenantTransaction) => Promise<T>) =>
    worker.withTenant(scope(), "write", work);
  await move(beginMove);
  while ((await move((transaction) => moveSome(transaction, 2))) > 0) await addUp();
  await move(endMove);
}

function write<T>(work: (transaction: TenantTransaction) => Promise<T>): Promise<T> {
  return database.withTenant(scope(), "write", work);
}

function scope() {
  return { tenantId, actorId: tenantId };
}

function document(given: Partial<SearchDocument>): SearchDocument {
  return {
    id: randomUUID(),
    entityType: "FILE",
    workspaceId,
    placeId: open,
    name: "a.txt",
    text: "text",
    mediaType: "text/plain",
    ownerId: null,
    updatedAt: new Date(0),
    contentVersion: 1,
    ...given,
  };
}
