import { type Catalog, loadCatalog } from "@svc/command-router/catalog";
import { faultSize } from "@svc/testing/fault-size";
import { runSeed } from "@svc/testing/run-seed";
import { afterAll, beforeAll, describe, expect } from "vitest";
import type { CommandContext } from "../../src/platform/commands/command-context.ts";
import { featuresFolder } from "../../src/platform/process/features-folder.ts";
import { test } from "../../testing/backend-test.ts";
import { Dice } from "../../testing/dice.ts";
import { longCalls } from "../../testing/loop-watch/long-calls.ts";
import { type LongDocument, longDocuments, longImports } from "../../testing/loop-watch/long-documents.ts";
import { WatchedApi } from "../../testing/loop-watch/watched-api.ts";

/**
 * No input keeps a second caller waiting: every argument of every command with long values, and every document that
 * takes long to read. The gate compares the processor time of some of them with that of a plain call. At night the event
 * loop of a real API is watched, beside that of an idle process.
 */
const catalog: Catalog<CommandContext> = await loadCatalog(featuresFolder);
const seed = runSeed();
const dice = new Dice(seed);

/** Values of 100 kB cost many times as much as short ones; what is quadratic costs thousands of times as much. */
const mostTimesPlain = 300;

test("no long value of any argument costs out of all proportion", async ({ backend, tenant }) => {
  await backend.run(tenant.token, "workspaces create Home");
  const costOf = async (url: string, payload: object) => {
    const before = process.cpuUsage();
    const headers = { authorization: `Bearer ${tenant.token}` };
    const { statusCode, body } = await backend.server.inject({ method: "POST", url, payload, headers });
    const { user, system } = process.cpuUsage(before);
    if (statusCode >= 500) throw new Error(`${url} ${JSON.stringify(payload).slice(0, 200)}: ${body}`);
    return user + system;
  };
  const plain: number[] = [];
  for (let index = 0; index < 30; index += 1)
    plain.push(await costOf("/api/v1/cli", { argv: ["files", "list", "/", "--workspace", "home"] }));
  const usual = plain.toSorted((one, other) => one - other)[15] ?? Number.NaN;
  for (const { what, href, body } of sampleOf(longCalls(catalog, "home"), 60))
    expect((await costOf(href, body)) / usual, `${what}, SVC_SEED=${seed}`).toBeLessThan(mostTimesPlain);
});

describe("beside an idle process", { tags: ["nightly"] }, () => {
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

  test("no long value of any argument blocks the event loop", async () => {
    const calls = sampleOf(longCalls(catalog, "home"), faultSize(20_000, 150));
    for (const { what, href, body } of calls) {
      const answer = await watched.during(what, () => send(href, body));
      if (answer.status >= 500) watched.late.push(`${what}: ${answer.status} ${await answer.text()}`);
    }
    process.stdout.write(`event loop: ${calls.length} calls with long values, SVC_SEED=${seed}\n`);
    expect(watched.late.splice(0)).toEqual([]);
  });

  test("no long or hostile document blocks the event loop", async () => {
    for (const document of sampleOf(longDocuments, faultSize(1_000, 6))) {
      await put(document, ["files", "put", `./${document.name}`, "/"]);
    }
    for (const query of ["漢", "a", "lorem dog", '"fox jumps"', "한"]) {
      await watched.during(`search ${query}`, () => type(["search", "query", query]));
    }
    expect(watched.late.splice(0)).toEqual([]);
  });

  test("no long import blocks the event loop", async () => {
    // The calls above may have removed any other.
    await createCollection("Imports");
    for (const document of sampleOf(longImports, faultSize(1_000, 3))) {
      await put(document, ["records", "import", "imports", `./${document.name}`]);
    }
    expect(watched.late.splice(0)).toEqual([]);
  });

  test("no large folder blocks the event loop", async () => {
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
});

function toWhole(_: string, value: unknown): unknown {
  return typeof value === "number" ? Math.round(value) : value;
}

/** This many of them, evenly spread, from a drawn first one; all if there are fewer. */
function sampleOf<Item>(items: readonly Item[], count: number): Item[] {
  const step = Math.max(1, items.length / count);
  const first = dice.throw() * step;
  return Array.from(
    { length: Math.min(count, items.length) },
    (_, index) => items[Math.floor(first + index * step)],
  ).filter((item) => item !== undefined);
}
