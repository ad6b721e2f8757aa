import { randomUUID } from "node:crypto";
import { Database, type TenantTransaction } from "@svc/database/database";
import { createTestDatabase, type TestDatabase } from "@svc/testing/test-database";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeDocuments } from "../index/documents.ts";
import { writePlace } from "../index/places.ts";
import { sharedShelf } from "../index/shelf.ts";
import { parseQuery } from "../query/parse-query.ts";
import { findPathsInTime } from "../ranking/count-words.ts";
import { findPathPlaces } from "./find-path-places.ts";

const tenantId = randomUUID();
const scope = { tenantId, actorId: tenantId };
const workspaceId = randomUUID();
const [open, closed] = [randomUUID(), randomUUID()];

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = new Database({ url: testDatabase.appUrl });
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

test("finds the places below folders with a word, however deep", async () => {
  const winter = await folder("winter", open);
  const drafts = await folder("drafts", open, winter);
  const old = await folder("old", open, drafts);
  expect(await placesOf("winter newsletter")).toEqual([[winter, drafts, old].sort(), []]);
  expect(await placesOf("drafts winter")).toEqual([[drafts, old].sort(), [winter, drafts, old].sort()]);
});

// A file is never shared without the names above it: here the index is wrong.
test("follows neither the name of a hidden folder nor a way through one", async () => {
  const hidden = await folder("harbour", closed);
  await folder("below hidden", open, hidden);
  const seen = await folder("harbour", open);
  const between = await folder("between", closed, seen);
  await folder("deeper", open, between);
  expect(await placesOf("harbour newsletter")).toEqual([[seen], []]);
  const opened = { doorIds: [between] };
  expect((await placesOf("harbour newsletter", opened))[0]).toHaveLength(3);
});

test("a search of many documents does not wait for them", async () => {
  const statistics = {
    documents: 100_000,
    all: 100_000,
    averageLength: 1,
    reach: "row",
    spoken: [],
  } as const;
  const source = { ...sourceOf([]), filters: { entityTypes: ["FILE"] }, reach: "row" } as const;
  const find = () =>
    within("read", (transaction) =>
      findPathsInTime(transaction, parseQuery("winter newsletter"), source, statistics),
    );
  expect(await find()).toHaveLength(2);
  const admin = new pg.Client({ connectionString: testDatabase.adminUrl });
  await admin.connect();
  await admin.query("begin; lock table app.search_place in access exclusive mode");
  try {
    expect(await find()).toBeUndefined();
  } finally {
    await admin.end();
  }
});

function placesOf(query: string, { doorIds = [] }: { doorIds?: string[] } = {}) {
  return within("read", async (transaction) =>
    (await findPathPlaces(transaction, parseQuery(query), sourceOf(doorIds))).map((places) =>
      places.toSorted(),
    ),
  );
}

function sourceOf(doorIds: readonly string[]) {
  const visibility = { workspaceIds: [workspaceId], scopeIds: [open], doorIds };
  return { tenantId, shelves: [sharedShelf(tenantId)], visibility };
}

/** Returns its id, which is also that of its place. */
async function folder(name: string, scopeId: string, parentId: string | null = null): Promise<string> {
  const id = randomUUID();
  await within("write", async (transaction) => {
    await writePlace(transaction, { id, workspaceId, parentId, scopeId, isHidden: false });
    await writeDocuments(transaction, [
      {
        ...{ id, name, workspaceId, placeId: id, entityType: "FOLDER", text: "" },
        ...{ mediaType: null, ownerId: null, updatedAt: new Date(0), contentVersion: 1 },
      },
    ]);
  });
  return id;
}

function within<T>(access: "read" | "write", work: (transaction: TenantTransaction) => Promise<T>) {
  return database.withTenant(scope, access, work);
}
