import { decodeId } from "@svc/protocol/typed-id";
import { expect } from "vitest";
import { test as backendTest } from "../../../testing/backend-test.ts";
import { RecordsTown } from "../../../testing/records-test.ts";
import { TestBackend } from "../../../testing/test-backend.ts";
import type { RecordChangedEvent } from "../../platform/commands/events.ts";
import { defineListener, Listeners } from "../../platform/commands/listeners.ts";

const told: RecordChangedEvent[] = [];
let fails = false;
const listener = defineListener({
  event: "RecordChangedEvent",
  run: async (_context, event) => {
    if (fails) throw new Error("test listener");
    told.push(event);
  },
});

const test = backendTest.extend<{ $file: { town: RecordsTown } }>({
  town: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixture's needs off this pattern
    async ({}, use) => {
      const backend = await TestBackend.start({ listeners: new Listeners([listener as never]) });
      await use(await RecordsTown.open(backend, await backend.addTenant()));
      await backend.close();
    },
    { scope: "file" },
  ],
});

const take = () => told.splice(0).map(({ kind }) => kind);

test("listeners receive every change of a record, and its undo", async ({ town }) => {
  const collection = await town.addCollection("name:text");
  const made = await town.type("editor", `records create ${collection.slug} --set name=x`);
  const { id } = made.body.data as { id: string };
  expect(told).toEqual([
    {
      kind: "CREATED",
      recordId: decodeId(id, "record"),
      collectionId: decodeId(collection.id, "collection"),
      workspaceId: expect.any(String),
    },
  ]);
  const updated = await town.type("editor", `records update ${id} --set name=y`);
  await town.undo("editor", updated);
  const deleted = await town.type("editor", `records delete ${id}`);
  await town.undo("editor", deleted);
  await town.run("editor", `records delete ${id}`);
  const restored = await town.type("editor", `records restore ${id}`);
  await town.undo("editor", restored);
  expect(take()).toEqual([
    "CREATED",
    "CHANGED",
    "CHANGED",
    "TRASHED",
    "RESTORED",
    "TRASHED",
    "RESTORED",
    "TRASHED",
  ]);
});

test("listeners receive each record of an import, and its undo", async ({ town }) => {
  const { slug } = await town.addCollection("name:text");
  const imported = await town.send("editor", `records import ${slug} ./x.csv`, "name\na\nb\nc\n");
  expect(new Set(told.map(({ recordId }) => recordId)).size).toBe(3);
  expect(take()).toEqual(["CREATED", "CREATED", "CREATED"]);
  await town.undo("editor", imported);
  expect(take()).toEqual(["TRASHED", "TRASHED", "TRASHED"]);
});

test("changes nothing if a listener fails", async ({ town }) => {
  const { slug } = await town.addCollection("name:text");
  fails = true;
  const line = `records create ${slug} --set name=x`;
  expect((await town.backend.whileBroken(() => town.type("editor", line))).status).toBe(500);
  fails = false;
  expect(await town.run("viewer", `records list ${slug}`)).toMatchObject({ items: [] });
});
