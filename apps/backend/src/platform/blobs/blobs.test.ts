import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { Database, type TransactionMode } from "@svc/database/database";
import { Provisioner } from "@svc/database/provision";
import { createTestDatabase, type TestDatabase } from "@svc/testing/test-database";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { untilBlocked } from "../../../testing/worker-test.ts";
import { BlobCollection } from "./blob-collection.ts";
import { blobKey } from "./blob-store.ts";
import { Blobs, findBlob } from "./blobs.ts";
import { type Content, contentOf } from "./content.ts";
import { FileSystemStore } from "./file-system-store.ts";
import { PendingObjects } from "./pending-objects.ts";

let testDatabase: TestDatabase;
let database: Database;
let worker: Database;
let collection: BlobCollection;
let admin: pg.Client;
let store: FileSystemStore;
let folder: string;
let tenantId: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), "svc-blobs-"));
  store = new FileSystemStore(folder);
  database = new Database({ url: testDatabase.appUrl });
  worker = new Database({ url: testDatabase.workerUrl });
  collection = new BlobCollection(worker);
  admin = new pg.Client({ connectionString: testDatabase.adminUrl });
  await admin.connect();
  tenantId = await addTenant();
});
afterAll(async () => {
  await database.close();
  await worker.close();
  await admin.end();
  await testDatabase.drop();
  await rm(folder, { recursive: true });
});

test("the same content twice is one object with two references", async () => {
  const content = newContent();
  await put(content);
  await put(content);
  expect(await row(content)).toMatchObject({ references: 2, unreferenced: null });
  expect(await objectsOf(content)).toHaveLength(1);
  expect(await read(content)).toEqual(await buffer(content.read()));
});

test("two tenants with the same content have separate objects, and neither sees the other's", async () => {
  const content = newContent();
  const other = await addTenant();
  await put(content);
  await expect(within("read", (blobs) => blobs.read(content.sha256), other)).rejects.toMatchObject({
    code: "not_found",
  });
  await put(content, other);
  expect(await row(content)).toMatchObject({ references: 1 });
  expect((await row(content, other)).key).not.toBe((await row(content)).key);
});

test("counts references, including several to one content at once", async () => {
  const [one, two] = [newContent(), newContent()];
  await put(one);
  await put(two);
  await within("write", (blobs) => blobs.addReferences([one.sha256, two.sha256, one.sha256]));
  expect([(await row(one)).references, (await row(two)).references]).toEqual([3, 2]);
  await within("write", (blobs) => blobs.release([two.sha256, one.sha256, two.sha256, one.sha256]));
  expect(await row(one)).toMatchObject({ references: 1, unreferenced: null });
  expect(await row(two)).toMatchObject({ references: 0, unreferenced: expect.any(Date) });
  expect(await within("read", (blobs) => blobs.size(two.sha256))).toBe(two.size);
});

test("unknown content can be neither referenced nor released, and then nothing else is counted", async () => {
  const content = newContent();
  await put(content);
  for (const change of ["addReferences", "release"] as const) {
    await expect(
      within("write", (blobs) => blobs[change]([content.sha256, newContent().sha256])),
    ).rejects.toMatchObject({ code: "not_found" });
  }
  expect(await row(content)).toMatchObject({ references: 1 });
});

test("refuses to release more references than exist", async () => {
  const content = newContent();
  await put(content);
  await expect(within("write", (blobs) => blobs.release([content.sha256, content.sha256]))).rejects.toThrow(
    /reference_count/,
  );
  expect(await row(content)).toMatchObject({ references: 1 });
});

test("counts from concurrent transactions add up", async () => {
  const contents = Array.from({ length: 10 }, newContent);
  const digests = contents.map(({ sha256 }) => sha256);
  for (const content of contents) await put(content);
  await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      within("write", (blobs) =>
        index % 2 ? blobs.addReferences(digests) : blobs.addReferences(digests.slice(5)),
      ),
    ),
  );
  const counts = await Promise.all(contents.map(async (content) => (await row(content)).references));
  expect(counts).toEqual([11, 11, 11, 11, 11, 21, 21, 21, 21, 21]);
});

test("collects unreferenced content after a day, and not before", async () => {
  const content = newContent();
  await put(content);
  await within("write", (blobs) => blobs.release([content.sha256]));
  const { key } = await row(content);
  await age(content, "23 hours 59 minutes");
  expect(await collection.collect(100)).toEqual([]);
  await age(content, "24 hours 1 minute");
  expect(await collection.collect(100)).toEqual([key]);
  expect(await collection.collect(100)).toEqual([]);
  await expect(row(content)).rejects.toMatchObject({ code: "not_found" });
});

test("never collects referenced content, however old", async () => {
  const content = newContent();
  await put(content);
  await admin.query("update app.blob set reference_count = 1, unreferenced_at = null");
  expect(await collection.collect(100)).toEqual([]);
});

test.for(["put", "addReferences"] as const)(
  "keeps content that %s revives before it is collected",
  async (way) => {
    const content = newContent();
    await put(content);
    await within("write", (blobs) => blobs.release([content.sha256]));
    await age(content, "2 days");
    const { key } = await row(content);
    if (way === "put") await put(content);
    else await within("write", (blobs) => blobs.addReferences([content.sha256]));
    expect(await collection.collect(100)).toEqual([]);
    expect(await row(content)).toMatchObject({ key, references: 1, unreferenced: null });
    expect(await read(content)).toEqual(await buffer(content.read()));
  },
);

test("batches are as large as asked for", async () => {
  const contents = Array.from({ length: 5 }, newContent);
  for (const content of contents) {
    await put(content);
    await within("write", (blobs) => blobs.release([content.sha256]));
    await age(content, "2 days");
  }
  const sizes = [await collection.collect(3), await collection.collect(3), await collection.collect(3)];
  expect(sizes.map((keys) => keys.length)).toEqual([3, 2, 0]);
});

test("a put that comes first prevents the collection of its content", async () => {
  const content = await unreferencedSince("2 days");
  const { key } = await row(content);
  const hold = Promise.withResolvers<void>();
  const counted = Promise.withResolvers<void>();
  const putting = within("write", async (blobs) => {
    await blobs.put(content);
    counted.resolve();
    await hold.promise;
  });
  await counted.promise;
  // The row is locked, so the collector skips it without waiting.
  expect(await collection.collect(100)).toEqual([]);
  hold.resolve();
  await putting;
  expect(await collection.collect(100)).toEqual([]);
  expect(await row(content)).toMatchObject({ key, references: 1 });
  expect(await read(content)).toEqual(await buffer(content.read()));
});

test.for(["commit", "rollback"] as const)(
  "a put during the collection of its content waits, and loses no bytes if that ends with a %s",
  async (end) => {
    const content = await unreferencedSince("2 days");
    const { key: old } = await row(content);
    await admin.query("begin");
    await admin.query("select app.collect_blobs(100)");
    let isPut = false;
    const putting = put(content).then(() => {
      isPut = true;
    });
    await untilBlocked(testDatabase);
    expect(isPut).toBe(false);
    await admin.query(end);
    await putting;
    // The collector removes its object only now, after its commit: the worst case.
    if (end === "commit") await store.remove(old);
    const { key, references } = await row(content);
    expect(references).toBe(1);
    expect(key === old).toBe(end === "rollback");
    expect(await read(content)).toEqual(await buffer(content.read()));
    expect(await objectsOf(content)).toEqual([key]);
  },
);

test("refuses a reference to content that is being collected", async () => {
  const content = await unreferencedSince("2 days");
  await admin.query("begin");
  await admin.query("select app.collect_blobs(100)");
  const referring = within("write", (blobs) => blobs.addReferences([content.sha256]));
  referring.catch(() => {});
  await untilBlocked(testDatabase);
  await admin.query("commit");
  await expect(referring).rejects.toMatchObject({ code: "not_found" });
});

test("referenced content stays readable through concurrent puts, releases and collections", async () => {
  const content = newContent();
  let isOver = false;
  const collecting = (async () => {
    while (!isOver) {
      await admin.query(
        "update app.blob set unreferenced_at = now() - interval '2 days' where reference_count = 0",
      );
      for (const key of await collection.collect(10)) await store.remove(key);
    }
  })();
  const using = Array.from({ length: 4 }, async () => {
    for (let round = 0; round < 25; round += 1) {
      await put(content);
      expect(await read(content)).toEqual(await buffer(content.read()));
      await within("write", (blobs) => blobs.release([content.sha256]));
    }
  });
  await Promise.all(using);
  isOver = true;
  await collecting;
});

test("objects without a row are orphans if they belong to tenants of this database", async () => {
  const content = newContent();
  await put(content);
  const { key } = await row(content);
  const orphan = blobKey(tenantId, randomUUID());
  const ofAnotherDatabase = blobKey(randomUUID(), randomUUID());
  // The same storage key under another tenant, which has no row for it.
  const ofAnotherTenant = key.replace(tenantId, await addTenant());
  const orphans = await collection.findOrphans([key, orphan, ofAnotherDatabase, ofAnotherTenant]);
  expect(orphans.sort()).toEqual([orphan, ofAnotherTenant].sort());
  expect(await collection.findOrphans([])).toEqual([]);
});

test.for(["collect_blobs(1)", "unknown_blobs('{}', '{}')"])(
  "the application role cannot call %s",
  async (call) => {
    await expect(
      database.withDirectory((db) => sql`select ${sql.raw(`app.${call}`)}`.execute(db)),
    ).rejects.toThrow(/permission denied/);
  },
);

test("refuses content that does not match its digest, and keeps nothing of it", async () => {
  const promised = newContent();
  const content = { ...promised, read: newContent().read };
  await expect(put(content)).rejects.toMatchObject({ code: "digest_mismatch" });
  await expect(row(promised)).rejects.toMatchObject({ code: "not_found" });
});

function newContent(): Content {
  return contentOf(randomBytes(1_000));
}

/** What `commitWithObjects` does for a call. */
async function within<T>(
  mode: TransactionMode,
  work: (blobs: Blobs) => Promise<T>,
  tenant = tenantId,
): Promise<T> {
  const pending = new PendingObjects(store, tenant, new AbortController().signal);
  let adopted: ReadonlySet<string> = new Set();
  try {
    return await database.withTenant({ tenantId: tenant, actorId: tenant }, mode, (transaction) => {
      const blobs = new Blobs(store, transaction, pending);
      adopted = blobs.adopted;
      return work(blobs);
    });
  } finally {
    await pending.removeExcept(adopted);
  }
}

function put(content: Content, tenant = tenantId): Promise<void> {
  return within("write", (blobs) => blobs.put(content), tenant);
}

async function read(content: Content): Promise<Buffer> {
  return buffer(await within("read", (blobs) => blobs.read(content.sha256)));
}

async function row(content: Content, tenant = tenantId) {
  return database.withTenant({ tenantId: tenant, actorId: tenant }, "read", async (transaction) => {
    const { key } = await findBlob(transaction, content.sha256);
    const { references, unreferenced } = await transaction.db
      .selectFrom("app.blob")
      .select(["reference_count as references", "unreferenced_at as unreferenced"])
      .where("sha256", "=", Buffer.from(content.sha256, "hex"))
      .executeTakeFirstOrThrow();
    return { key, references, unreferenced };
  });
}

/** Keys of all objects with exactly this content, with or without a row. */
async function objectsOf(content: Content): Promise<string[]> {
  const found: string[] = [];
  for await (const key of store.list(new Date(Date.now() + 60_000))) {
    if (!key.startsWith(tenantId)) continue;
    const bytes = await buffer(await store.read(key));
    if (bytes.equals(await buffer(content.read()))) found.push(key);
  }
  return found;
}

async function unreferencedSince(interval: string): Promise<Content> {
  const content = newContent();
  await put(content);
  await within("write", (blobs) => blobs.release([content.sha256]));
  await age(content, interval);
  return content;
}

async function age(content: Content, interval: string): Promise<void> {
  await admin.query("update app.blob set unreferenced_at = now() - $1::interval where sha256 = $2", [
    interval,
    Buffer.from(content.sha256, "hex"),
  ]);
}

async function addTenant(): Promise<string> {
  return Provisioner.with(testDatabase.adminUrl, (provisioner) =>
    provisioner.addTenant({ name: "Kumo", slug: randomUUID() }),
  );
}
