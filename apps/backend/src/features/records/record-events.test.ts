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
  const made = await town.as("editor").type(`records create ${collection.slug} --set name=x`);
  const { id } = made.body.data as { id: string };
  expect(told).toEqual([
    {
      kind: "CREATED",
      recordId: decodeId(id, "record"),
      collectionId: decodeId(collection.id, "collection"),
      workspaceId: expect.any(String),
    },
  ]);
  const updated = await town.as("editor").type(`records update ${id} --set name=y`);
  await town.as("editor").undo(updated.body.operation);
  const deleted = await town.as("editor").type(`records delete ${id}`);
  await town.as("editor").undo(deleted.body.operation);
  await town.as("editor").run(`records delete ${id}`);
  const restored = await town.as("editor").type(`records restore ${id}`);
  await town.as("editor").undo(restored.body.operation);
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
  const imported = await town.as("editor").send(`records import ${slug} ./x.csv`, "name\na\nb\nc\n");
  expect(new Set(told.map(({ recordId }) => recordId)).size).toBe(3);
  expect(take()).toEqual(["CREATED", "CREATED", "CREATED"]);
  await town.as("editor").undo(imported.body.operation);
  expect(take()).toEqual(["TRASHED", "TRASHED", "TRASHED"]);
});

test("changes nothing if a listener fails", async ({ town }) => {
  const { slug } = await town.addCollection("name:text");
  fails = true;
  const line = `records create ${slug} --set name=x`;
  expect((await town.backend.whileBroken(() => town.as("editor").type(line))).status).toBe(500);
  fails = false;
  expect(await town.as("viewer").run(`records list ${slug}`)).toMatchObject({ items: [] });
});
