import { randomUUID } from "node:crypto";
import { Database, type TenantTransaction } from "@svc/database/database";
import { createTestDatabase, type TestDatabase } from "@svc/testing/test-database";
import { afterAll, beforeAll, expect, test } from "vitest";
import { removeDocuments, type SearchDocument, writeDocuments } from "../../index/documents.ts";
import { writePlace } from "../../index/places.ts";
import { sharedShelf } from "../../index/shelf.ts";
import { parseQuery } from "../../query/parse-query.ts";
import type { Reach } from "../../visibility/visible-documents.ts";
import { rankDocuments } from "../rank-documents.ts";
import { countFacets, facetLevel } from "./count-facets.ts";

const tenantId = randomUUID();
const scope = { tenantId, actorId: tenantId };
const workspaceId = randomUUID();
const [open, closed] = [randomUUID(), randomUUID()];
const owners = [randomUUID(), randomUUID()];
const written = 4_000;
const clock = { now: new Date("2026-11-18T00:00:00Z"), timeZone: "UTC" };

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = new Database({ url: testDatabase.appUrl });
  await write(async (transaction) => {
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

test.for(["row", "index", "place"] as const)("counts every visible hit, found by %s", async (reach) => {
  expect(await count("pear", { reach })).toEqual({
    each: 1,
    types: [{ entityType: "FILE", extension: "csv", mediaType: "text/plain", hits: written / 4 }],
    workspaces: [{ id: workspaceId, hits: written / 4 }],
    owners: [{ id: owners[0], hits: written / 4 }],
    years: [{ year: 2024, hits: written / 4 }],
  });
  const apples = await count("apple", { reach });
  expect(apples.years).toEqual([
    { year: 2024, hits: written / 2 },
    { year: 2025, hits: written / 2 },
  ]);
});

test("counts the hits that a search finds: with words, phrases, excluded words and filters", async () => {
  for (const query of [
    "pear",
    "pear apple",
    '"apple pear"',
    "apple -pear",
    "pear OR plum",
    "plu*",
    "-pear",
  ]) {
    const { workspaces } = await count(query);
    const source = sourceOf("row");
    const statistics = {
      documents: written,
      all: written,
      averageLength: 2,
      reach: "row",
      spoken: [],
    } as const;
    const parsed = parseQuery(query);
    const asked = { parsed, content: true, source, paths: [] };
    const ranking = { weights: parsed.words.map(() => 1), averageLength: 2, now: new Date(0) };
    const frequencies = parsed.words.map(() => 1);
    const { candidates } = await read((transaction) =>
      rankDocuments(transaction, asked, { ranking, statistics, frequencies, limit: written }),
    );
    expect([query, workspaces[0]?.hits ?? 0]).toEqual([query, candidates]);
  }
});

test("estimates many hits from a sample, and hidden ones change nothing", async () => {
  const sampled = await count("apple", { level: 3 });
  expect(sampled.each).toBe(8);
  for (const { hits } of sampled.years) expect((8 * hits) / (written / 2)).toBeCloseTo(1, 0);
  const every = [await count("apple"), sampled];
  const hidden = Array.from({ length: 400 }, (_, index) => documentIn(closed, index));
  await write((transaction) => writeDocuments(transaction, hidden));
  expect([await count("apple"), await count("apple", { level: 3 })]).toEqual(every);
  const ids = hidden.map(({ id }) => id);
  await write((transaction) => removeDocuments(transaction, ids));
});

test("reads about as many hits however many there are", () => {
  expect([0, 25_000, 25_001, 176_000, 300_000].map(facetLevel)).toEqual([0, 0, 1, 3, 4]);
});

function count(typed: string, { reach = "row", level = 0 }: { reach?: Reach; level?: number } = {}) {
  const query = { parsed: parseQuery(typed), content: true, source: sourceOf(reach) };
  return read((transaction) => countFacets(transaction, query, { clock, level }));
}

function sourceOf(reach: Reach) {
  const visibility = { workspaceIds: [workspaceId], scopeIds: [open], doorIds: [] };
  const filters = { entityTypes: ["FILE"] as const };
  return { tenantId, shelves: [sharedShelf(tenantId)], visibility, filters, reach };
}

function read<T>(work: (transaction: TenantTransaction) => Promise<T>): Promise<T> {
  return database.withTenant(scope, "read", work);
}

function write<T>(work: (transaction: TenantTransaction) => Promise<T>): Promise<T> {
  return database.withTenant(scope, "write", work);
}

/** Every fourth has pears, every second is of another owner, type and year. */
function documentIn(placeId: string, index: number): SearchDocument {
  const isEven = index % 2 === 0;
  return {
    id: randomUUID(),
    entityType: "FILE",
    workspaceId,
    placeId,
    name: isEven ? "even.csv" : "odd.txt",
    text: index % 4 === 0 ? "apple pear" : index % 4 === 1 ? "apple plum" : "apple",
    mediaType: "text/plain",
    ownerId: owners[isEven ? 0 : 1] ?? null,
    updatedAt: new Date(isEven ? "2024-06-01T00:00:00Z" : "2025-01-01T00:00:00Z"),
    contentVersion: 1,
  };
}
