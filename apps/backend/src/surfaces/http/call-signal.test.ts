import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import { waitUntil } from "@svc/testing/wait-until";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { startFixtureBackend } from "../../../testing/fixture-backend.ts";
import type { TestBackend, TestTenant } from "../../../testing/test-backend.ts";

let backend: TestBackend;
/** The same with short time limits, under which other tests would fail on a busy machine. */
let hurried: TestBackend;
let tenant: TestTenant;
let address: string;
let log: string;

beforeAll(async () => {
  const logTo = {
    write: (line: string) => {
      log += line;
    },
  };
  backend = await startFixtureBackend({ logTo });
  const { testDatabase } = backend;
  hurried = await startFixtureBackend({ testDatabase, logTo, limits: { commandMillis: 1_500 } });
  for (const { server } of [backend, hurried]) await server.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(async () => {
  await hurried.close();
  await backend.close();
});
beforeEach(() => callTo(backend));

async function callTo(called: TestBackend): Promise<void> {
  log = "";
  tenant = await backend.addTenant();
  address = called.server.listeningOrigin;
}

/** Over a real connection: `inject` has none that could break, and hid that Fastify's own signal does not work. */
function post(line: string, options: { accept?: string; signal?: AbortSignal } = {}): Promise<Response> {
  return fetch(`${address}/api/v1/cli`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${tenant.token}`,
      "content-type": "application/json",
      accept: options.accept ?? "application/json",
    },
    body: JSON.stringify({ argv: line.split(" ") }),
    ...(options.signal ? { signal: options.signal } : {}),
  });
}

/** Read from the table, because a command that lists them would have its own time limit. */
async function noteTexts(): Promise<string[]> {
  const { database } = backend;
  const scope = { tenantId: tenant.id, actorId: tenant.id };
  const { rows } = await database.withTenant(scope, "read", ({ db }) =>
    sql<{ text: string }>`select text from app.note`.execute(db),
  );
  return rows.map(({ text }) => text);
}

/** Until every transaction of the called backend has ended. */
async function untilIdle({ database } = backend): Promise<void> {
  await expect.poll(() => database.usage.busy).toBe(0);
}

test("does not wait for a body that does not arrive", async () => {
  const { testDatabase } = backend;
  const limits = { bodyMillis: 200, commandMillis: 100 };
  const impatient = await startFixtureBackend({ testDatabase, limits });
  onTestFinished(() => impatient.close());
  await impatient.server.listen({ host: "127.0.0.1", port: 0 });
  await callTo(impatient);
  const { port, hostname } = new URL(address);
  const connection = connect(Number(port), hostname);
  connection.write(
    `POST /api/v1/cli HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${tenant.token}\r\n` +
      'content-type: application/json\r\ncontent-length: 100\r\n\r\n{"argv":',
  );
  expect(await text(connection)).toMatch(/^HTTP\/1.1 504 .*"code":"timeout"/s);
});

test("a command begins with a signal that is not aborted", async () => {
  const answer = await post("notes slow hello");
  expect(answer.status).toBe(200);
  expect(log).toContain("hello: begins");
  expect(log).not.toContain("hello: begins aborted");
  expect(await noteTexts()).toEqual(["hello"]);
});

describe.each(["application/json", "application/x-ndjson"])("a caller of %s who disconnects", (accept) => {
  test("aborts the command's signal, and nothing is written", async () => {
    const controller = new AbortController();
    const left = post("notes slow gone --steps 100000 --millis 10", {
      accept,
      signal: controller.signal,
    }).then((answer) => answer.text());
    await waitUntil(() => expect(log).toContain("gone: begins"));
    controller.abort();
    await expect(left).rejects.toThrow();
    await waitUntil(() => expect(log).toContain("gone: stops"));
    await untilIdle();
    expect(await noteTexts()).toEqual([]);
  });

  test("leaves nothing written even if the command ignores the signal", async () => {
    const controller = new AbortController();
    const left = post("notes slow gone --steps 100000 --millis 10 --stubborn", {
      accept,
      signal: controller.signal,
    }).then((answer) => answer.text());
    await waitUntil(() => expect(log).toContain("gone: begins"));
    controller.abort();
    await expect(left).rejects.toThrow();
    await waitUntil(() => expect(log).toContain("gone: ends"));
    await untilIdle();
    expect(await noteTexts()).toEqual([]);
    expect(log).not.toContain("unexpected error");
  });
});

test("a caller who disconnects before the first line of a stream is not an internal error", async () => {
  const controller = new AbortController();
  const left = post("notes slow gone --millis 1000000", {
    accept: "application/x-ndjson",
    signal: controller.signal,
  });
  while (!log.includes("gone: begins")) await setImmediate();
  controller.abort();
  await expect(left).rejects.toThrow();
  await waitUntil(() => expect(log).toMatch(/gone: (stops|ends)/));
  expect(log).not.toContain("unexpected error");
});

describe("a command that takes too long", () => {
  beforeEach(() => callTo(hurried));

  test.each(["", " --stubborn"])("is answered in time, and not done later%s", async (stubborn) => {
    const answer = await post(`notes slow late --steps 100000 --millis 50${stubborn}`);
    expect(log).not.toContain("late: ends");
    expect(answer.status).toBe(504);
    expect(await answer.json()).toMatchObject({ code: "timeout", exitCode: 32 });
    await untilIdle(hurried);
    expect(log).toMatch(/late: (stops|ends)/);
    expect(await noteTexts()).toEqual([]);
  });

  test("ends a stream with the problem", async () => {
    const answer = await post("notes slow late --steps 100000 --millis 50 --stubborn", {
      accept: "application/x-ndjson",
    });
    const lines = (await answer.text()).trimEnd().split("\n");
    expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ kind: "problem", code: "timeout", exitCode: 32 });
  });
});
