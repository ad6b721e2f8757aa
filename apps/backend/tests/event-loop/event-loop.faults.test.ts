import { type Catalog, loadCatalog } from "@svc/command-router/catalog";
import { faultSize } from "@svc/testing/fault-size";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CommandContext } from "../../src/platform/commands/command-context.ts";
import { featuresFolder } from "../../src/platform/process/features-folder.ts";
import { longCalls } from "../../testing/loop-watch/long-calls.ts";
import { type LongDocument, longDocuments, longImports } from "../../testing/loop-watch/long-documents.ts";
import { WatchedApi } from "../../testing/loop-watch/watched-api.ts";

/**
 * No input keeps a second caller waiting: every argument of every command with long values, and every document that
 * takes long to read. The CPU time of the event loop's thread is checked on any machine; what the second caller sees,
 * only on a quiet one.
 */
const catalog: Catalog<CommandContext> = await loadCatalog(featuresFolder);

let watched: WatchedApi;
beforeAll(async () => {
  watched = await WatchedApi.start();
  await createCollection("Customers");
  await type(["records", "create", "customers", "--set", "name=Acme"]);
  await type(["files", "mkdir", "/plans"]);
});
afterAll(async () => {
  process.stdout.write(`event loop, worst in ms: ${JSON.stringify(watched.worst, toWhole)}\n`);
  await watched.close();
});

/** Next to other tests a slice takes up to twice as long as on a quiet machine. A real block is late both times. */
const retry = process.env.SVC_FAULTS === undefined ? 1 : 0;

test("no long value of any argument blocks the event loop", { retry }, async () => {
  const calls = sampleOf(longCalls(catalog, "home"), faultSize(20_000, 150));
  for (const { what, href, body } of calls) {
    const answer = await watched.during(what, () => send(href, body));
    if (answer.status >= 500) watched.late.push(`${what}: ${answer.status} ${await answer.text()}`);
  }
  process.stdout.write(`event loop: ${calls.length} calls with long values\n`);
  expect(watched.late.splice(0)).toEqual([]);
});

test("no long or hostile document blocks the event loop", { retry }, async () => {
  for (const document of sampleOf(longDocuments, faultSize(1_000, 6))) {
    await put(document, ["files", "put", `./${document.name}`, "/"]);
  }
  for (const query of ["漢", "a", "lorem dog", '"fox jumps"', "한"]) {
    await watched.during(`search ${query}`, () => type(["search", "query", query]));
  }
  expect(watched.late.splice(0)).toEqual([]);
});

test("no long import blocks the event loop", { retry }, async () => {
  // The calls above may have removed any other.
  await createCollection("Imports");
  for (const document of sampleOf(longImports, faultSize(1_000, 3))) {
    await put(document, ["records", "import", "imports", `./${document.name}`]);
  }
  expect(watched.late.splice(0)).toEqual([]);
});

test("no large folder blocks the event loop", { retry }, async () => {
  const body = "The quick brown fox jumps over the lazy dog. ".repeat(90);
  const names = Array.from(
    { length: faultSize(1_000, 50) },
    (_, index) => `folder-${index % 10}/${index}.txt`,
  );
  const files = Object.fromEntries(names.map((name) => [name, body]));
  const argv = ["files", "put", "./many", "/", "--workspace", "home"];
  const { status } = await watched.during("a large folder", () =>
    watched.home.caller.sendFolder(argv, files),
  );
  expect(status).toBe(200);
  expect(watched.late.splice(0)).toEqual([]);
});

function createCollection(name: string) {
  const fields = ["name:text", "status:choice:active,lost", "revenue:number"];
  return type(["collections", "create", name, ...fields.flatMap((field) => ["--field", field])]);
}

function toWhole(_: string, value: unknown): unknown {
  return typeof value === "number" ? Math.round(value) : value;
}

/** This many of them, evenly spread, a different choice each time; all if there are fewer. */
function sampleOf<Item>(items: readonly Item[], count: number): Item[] {
  const step = Math.max(1, items.length / count);
  const first = Math.random() * step;
  return Array.from(
    { length: Math.min(count, items.length) },
    (_, index) => items[Math.floor(first + index * step)],
  ).filter((item) => item !== undefined);
}

function send(href: string, body: object): Promise<Response> {
  return watched.home.caller.fetch(href, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

function type(argv: string[]) {
  return watched.home.caller.post({ argv: [...argv, "--workspace", "home"] });
}

async function put({ name, make }: LongDocument, argv: string[]): Promise<void> {
  const content = make();
  const line = [...argv, "--workspace", "home"];
  const { status, body } = await watched.during(name, () => watched.home.caller.send(line, content));
  if (status >= 500) watched.late.push(`${name}: ${status} ${JSON.stringify(body).slice(0, 300)}`);
}
