import { randomUUID } from "node:crypto";
import { Database, type TenantTransaction } from "@svc/database/database";
import { createTestDatabase, type TestDatabase } from "@svc/testing/test-database";
import { afterAll, beforeAll, expect, test } from "vitest";
import { removeDocuments, type SearchDocument, writeDocuments } from "../index/documents.ts";
import { writePlace } from "../index/places.ts";
import { sharedShelf } from "../index/shelf.ts";
import { parseQuery } from "../query/parse-query.ts";
import type { Reach, Source } from "../visibility/visible-documents.ts";
import { rankDocuments } from "./rank-documents.ts";
import { countInSample, mostSampled } from "./sample.ts";

const tenantId = randomUUID();
const scope = { tenantId, actorId: tenantId };
const workspaceId = randomUUID();
const [open, closed] = [randomUUID(), randomUUID()];
/** Every fourth of these has the word pear. */
const written = 3 * mostSampled;
const pear = { name: null, body: "'pear'" };

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = new Database({ url: testDatabase.appUrl });
  await database.withTenant(scope, "write", async (transaction) => {
    for (const id of [open, closed])
      await writePlace(transaction, { id, workspaceId, parentId: null, scopeId: id, isHidden: false });
    const documents = Array.from({ length: written }, (_, index) => documentIn(open, index));
    await writeDocuments(transaction, documents);
  });
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

test("estimates from a sample of a fixed size how many visible documents have a word", async () => {
  const { size, each, found } = await countPears(written);
  expect(size).toBeGreaterThan(mostSampled / 3);
  expect(size).toBeLessThanOrEqual(mostSampled);
  expect((size * each) / written).toBeCloseTo(1, 0);
  const [pears = 0] = found;
  expect((pears * each) / (written / 4)).toBeGreaterThan(0.7);
  expect((pears * each) / (written / 4)).toBeLessThan(1.3);
});

test("counts exactly if the sample is everything", async () => {
  expect(await countPears(mostSampled)).toMatchObject({ size: written, each: 1, found: [written / 4] });
});

test.for(["row", "index", "place"] as const)(
  "samples the same documents however they are reached: %s",
  async (reach) => {
    expect(await countPears(written, reach)).toEqual(await countPears(written));
  },
);

test("hidden documents change nothing", async () => {
  const before = await countPears(written);
  const hidden = Array.from({ length: 400 }, () => documentIn(closed, 0));
  await database.withTenant(scope, "write", (transaction) => writeDocuments(transaction, hidden));
  expect(await countPears(written)).toEqual(before);
  const ids = hidden.map(({ id }) => id);
  await database.withTenant(scope, "write", (transaction) => removeDocuments(transaction, ids));
});

test("several queries are counted at once, each in names and texts", async () => {
  const queries = [
    pear,
    { name: "'even'", body: null },
    { name: "'even'", body: "'pear'" },
    { name: null, body: null },
  ];
  const count = (asked: typeof queries) =>
    read((transaction) => countInSample(transaction, source("row"), { documents: 1 }, asked));
  expect((await count(queries)).found).toEqual([written / 4, written / 2, written / 2, 0]);
  expect((await count([])).found).toEqual([]);
});

test("narrower queries are counted among the documents that match, and places among those that lie there", async () => {
  const even = { name: "'even'", body: null };
  const odd = { name: "'odd'", body: null };
  const queries = [
    { ...even, narrower: [pear, odd, even] },
    { ...pear, places: [open] },
    { ...pear, places: [closed] },
    even,
  ];
  const { found } = await read((transaction) =>
    countInSample(transaction, source("row"), { documents: 1 }, queries),
  );
  expect(found).toEqual([written / 2, written / 4, 0, 0, written / 4, 0, written / 2]);
});

test("a search of the sample finds visible matches in it, and only those", async () => {
  const { found, each } = await countPears(written);
  expect(each).toBeGreaterThan(1);
  const before = await searchSample();
  expect(before).toHaveLength(found[0] ?? 0);
  const hidden = Array.from({ length: 400 }, () => documentIn(closed, 0));
  await database.withTenant(scope, "write", (transaction) => writeDocuments(transaction, hidden));
  expect(await searchSample()).toEqual(before);
  const ids = hidden.map(({ id }) => id);
  await database.withTenant(scope, "write", (transaction) => removeDocuments(transaction, ids));
});

test("of documents that may have a phrase, more are searched", async () => {
  const usual = await searchSample();
  const phrased = await searchSample('"apple pear"', [written, written / 4]);
  expect(phrased).toHaveLength(written / 4);
  expect(phrased.length).toBeGreaterThan(1.5 * usual.length);
  // Not counted in time: a sample of everything.
  const uncounted = await searchSample('"apple pear"', [0, 0], mostSampled / 8);
  expect(uncounted.length).toBeGreaterThan(0);
  expect(uncounted.length).toBeLessThan(written / 4);
});

/** The ids of all hits. */
async function searchSample(
  typed = "pear",
  frequencies = [written / 4],
  most: number | undefined = undefined,
): Promise<string[]> {
  const statistics = {
    documents: written,
    all: written,
    averageLength: 2,
    reach: "row",
    spoken: [],
    mostSampled: most,
  } as const;
  const query = {
    parsed: parseQuery(typed),
    content: true,
    source: source("row"),
    paths: [],
    isSampled: true,
  };
  const ranking = { weights: frequencies.map(() => 1), averageLength: 2, now: new Date(0) };
  const { documents, isExact, isTimedOut } = await read((transaction) =>
    rankDocuments(transaction, query, { ranking, statistics, frequencies, limit: written }),
  );
  expect({ isExact, isTimedOut }).toEqual({ isExact: false, isTimedOut: true });
  return documents.map(({ id }) => id);
}

function countPears(documents: number, reach: Reach = "row") {
  return read((transaction) => countInSample(transaction, source(reach), { documents }, [pear]));
}

function read<T>(work: (transaction: TenantTransaction) => Promise<T>): Promise<T> {
  return database.withTenant(scope, "read", work);
}

function source(reach: Reach): Source {
  const visibility = { workspaceIds: [workspaceId], scopeIds: [open], doorIds: [] };
  return {
    tenantId,
    shelves: [sharedShelf(tenantId)],
    visibility,
    filters: { entityTypes: ["FILE"] },
    reach,
  };
}

function documentIn(placeId: string, index: number): SearchDocument {
  return {
    id: randomUUID(),
    entityType: "FILE",
    workspaceId,
    placeId,
    name: index % 2 === 0 ? "even.txt" : "odd.txt",
    text: index % 4 === 0 ? "apple pear" : "apple",
    mediaType: "text/plain",
    ownerId: null,
    updatedAt: new Date(0),
    contentVersion: 1,
  };
}
