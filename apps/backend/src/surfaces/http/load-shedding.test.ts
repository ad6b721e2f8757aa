import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { waitUntil } from "@svc/testing/wait-until";
import { afterEach, expect, test } from "vitest";
import { startFixtureBackend } from "../../../testing/fixture-backend.ts";
import { HttpCaller } from "../../../testing/processes/http-caller.ts";
import type { TestBackend } from "../../../testing/test-backend.ts";

let backend: TestBackend;
afterEach(() => backend.close());

test("a process with a blocked event loop refuses requests until it has caught up", {
  tags: ["long"],
}, async () => {
  backend = await startFixtureBackend({ limits: { eventLoopDelayMillis: 100 } });
  const { token } = await backend.addTenant();
  await waitUntil(async () => expect((await backend.type(token, "notes list")).status).toBe(200));

  // Samples are taken every second, with the mean delay over that second.
  const shed = await waitUntil(async () => {
    block(500);
    const answer = await backend.type(token, "notes list");
    expect(answer.status).not.toBe(200);
    return answer;
  });
  expect(shed).toMatchObject({ status: 503, body: { code: "unavailable", exitCode: 30 } });
  expect(shed.headers["retry-after"]).toBe("2");
  expect(shed.headers["x-request-id"]).toBe(shed.body.requestId);
  expect(shed.headers["x-svc-min-client"]).toBeDefined();

  await waitUntil(async () => expect((await backend.type(token, "notes list")).status).toBe(200));
});

test("a process with too much memory in use refuses requests, and still reports that it is alive", {
  tags: ["long"],
}, async () => {
  backend = await startFixtureBackend({ limits: { heldMemoryShare: 0.001 } });
  const { token } = await backend.addTenant();
  const status = async (url: string) => (await backend.server.inject({ method: "GET", url })).statusCode;
  await waitUntil(async () => expect((await backend.type(token, "notes list")).status).toBe(503));
  expect((await backend.server.inject({ url: "/readyz" })).json()).toEqual({
    status: "not ready",
    reason: "overloaded",
  });
  expect(await status("/healthz")).toBe(200);
});

test("a process that shuts down finishes running requests and refuses new ones", {
  tags: ["long"],
}, async () => {
  backend = await startFixtureBackend();
  const { token } = await backend.addTenant();
  const address = await backend.server.listen({ host: "127.0.0.1", port: 0 });
  const { port, hostname } = new URL(address);
  const halfSent = connect(Number(port), hostname);
  halfSent.write("GET /api/v1/context HTTP/1.1\r\nhost: x\r\n");
  const [halfReceived] = (await once(backend.server.server, "connection")) as [Socket];
  await expect.poll(() => halfReceived.bytesRead).toBeGreaterThan(0);
  // The first look at the process's readiness uses the database too.
  await expect.poll(() => backend.database.usage.busy).toBe(0);
  const begun = new HttpCaller(address, token).post({ argv: ["notes", "slow", "hello", "--millis=100"] });
  await untilDatabaseIsUsed();

  const closed = backend.server.close();
  await waitUntil(() => expect(backend.server.server.listening).toBe(false));
  await expect(fetch(`${address}/healthz`)).rejects.toThrow("fetch failed");
  halfSent.write("\r\n");
  expect(await text(halfSent)).toMatch(/^HTTP\/1.1 503 .*retry-after: 1\r\n.*"code":"unavailable"/s);
  expect(await begun).toMatchObject({ status: 200, body: { committed: true } });
  await closed;
});

test.each(["application/json", "application/x-ndjson"])(
  "a keep-alive connection does not keep a process alive once its answer in %s is sent",
  async (accept) => {
    backend = await startFixtureBackend();
    const caller = new HttpCaller(
      await backend.server.listen({ host: "127.0.0.1", port: 0 }),
      (await backend.addTenant()).token,
    );
    const begun = caller.fetch("/api/v1/cli", {
      method: "POST",
      headers: { accept, "content-type": "application/json" },
      body: JSON.stringify({ argv: "notes slow hello --steps 20 --millis 10".split(" ") }),
    });
    await untilDatabaseIsUsed();
    const closed = backend.server.close();
    expect(await (await begun).text()).toContain('"committed":true');
    // The server itself gives up an idle connection later.
    await expect(Promise.race([closed, sleep(60_000, "still open", { ref: false })])).resolves.not.toBe(
      "still open",
    );
  },
);

function untilDatabaseIsUsed() {
  return expect.poll(() => backend.database.usage.busy, { interval: 5 }).toBeGreaterThan(0);
}

function block(millis: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, millis);
}
