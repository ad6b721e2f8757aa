import { subscribe } from "node:diagnostics_channel";
import { connect } from "node:net";
import type { FastifyInstance, HTTPMethods } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startFixtureBackend } from "../../testing/fixture-backend.ts";
import type { TestBackend, TestTenant } from "../../testing/test-backend.ts";

let backend: TestBackend;
let tenant: TestTenant;
let log = "";
const routes: { method: HTTPMethods; url: string }[] = [];

// Fastify publishes each new server here, before it has any routes.
subscribe("fastify.initialization", (message) => {
  const { fastify } = message as { fastify: FastifyInstance };
  fastify.addHook("onRoute", ({ method, url }) => {
    for (const one of [method].flat()) routes.push({ method: one as HTTPMethods, url });
  });
});

beforeAll(async () => {
  backend = await startFixtureBackend({
    logTo: {
      write: (line) => {
        log += line;
      },
    },
  });
  tenant = await backend.addTenant();
});
afterAll(() => backend.close());

/** Everything that callers without a credential can see. Add new routes by hand, with a reason. */
const openToAnybody = ["/healthz", "/readyz", "/openapi.json", "/llms.txt", "/SKILL.md"];

test("every route needs a credential, except a short list", async () => {
  const open = new Set<string>();
  const kept = new Set<string>();
  for (const { method, url } of routes) {
    const answer = await backend.server.inject({ method, url: url.replace(":ticket", "x") });
    if (answer.statusCode !== 401) open.add(url);
    else if (answer.headers.connection !== "close") kept.add(url);
  }
  // The connection of a stranger is closed after the answer.
  expect([...kept]).toEqual([]);
  expect(routes.map(({ method, url }) => `${method} ${url}`)).toEqual(
    expect.arrayContaining([
      "POST /api/v1/cli",
      "POST /api/v1/commands/notes/add",
      "GET /api/v1/context",
      "GET /api/v1/commands",
      "PATCH /api/v1/uploads/:ticket",
      "GET /api/v1/downloads/:ticket",
      "POST /api/v1/downloads/:ticket",
      "POST /api/v1/downloads/:ticket/list",
      "GET /api/v1/downloads/:ticket/:id/:version/:sha256",
    ]),
  );
  expect([...open].sort()).toEqual(openToAnybody.toSorted());
});

test("a stranger who goes on sending loses the connection, and a second request on it is not answered", async () => {
  const { port } = new URL(await backend.server.listen({ host: "127.0.0.1", port: 0 }));
  const socket = connect(Number(port), "127.0.0.1");
  const head = "POST /api/v1/cli HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n";
  socket.write(`${head}content-length: 1000\r\n\r\n{`);
  let answered = "";
  for await (const chunk of socket) {
    answered += chunk;
    socket.write(" ".repeat(10));
  }
  expect(answered.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 401"]);
});

describe("a request id", () => {
  const idOf = async (sent: string | undefined) => {
    const answer = await backend.server.inject({
      method: "GET",
      url: "/healthz",
      headers: sent === undefined ? {} : { "x-request-id": sent },
    });
    return answer.headers["x-request-id"];
  };

  test.each([undefined, "caller-id_12345678", "short", "a".repeat(65), "new\tline-and-more"])(
    "is ours alone, also if the caller sends %j",
    async (sent) => {
      expect(await idOf(sent)).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
    },
  );

  test("stands in the log beside what the caller calls it, in every line", async () => {
    log = "";
    const said = (id: string) =>
      backend.type(tenant.token, "notes fail", { headers: { "x-request-id": id, "x-tenant-id": "x" } });
    const [first, second] = await backend.whileBroken(() =>
      Promise.all([said("the-same-id"), said("the-same-id")]),
    );
    backend.server.problemReports.flush();
    const ids = new Set([first.body.requestId, second.body.requestId]);
    expect(ids.size).toBe(2);
    const lines = log.split("\n").filter((line) => [...ids].some((id) => line.includes(id)));
    expect(lines.length).toBeGreaterThanOrEqual(5);
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ callerRequestId: "the-same-id" });

    log = "";
    await backend.type(tenant.token, "notes list", {
      headers: { "x-request-id": "<script>alert(1)</script>" },
    });
    expect(log).toContain("answered");
    expect(log).not.toContain("callerRequestId");
  });

  test("is logged with method, route, status, tenant and command, but without arguments", async () => {
    log = "";
    await backend.type(tenant.token, "notes add confidential", {
      headers: { "x-request-id": "find-me-in-the-log" },
    });
    const line = log.split("\n").find((text) => text.includes("answered")) ?? "{}";
    expect(JSON.parse(line)).toMatchObject({
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      callerRequestId: "find-me-in-the-log",
      method: "POST",
      route: "/api/v1/cli",
      status: 200,
      tenant: tenant.id,
      command: "notes add",
    });
    expect(log).not.toContain("confidential");
    expect(log).not.toContain(tenant.token);
  });
});

test("ignores and logs a tenant that is claimed in a header", async () => {
  log = "";
  const other = await backend.addTenant();
  await backend.type(tenant.token, "notes list", { headers: { "x-tenant-id": other.id } });
  expect(log).toContain("X-Tenant-Id was sent and is ignored");
  expect(log).toContain(`"tenant":"${tenant.id}"`);
});

test.each([
  ["GET", "/healthz"],
  ["GET", "/openapi.json"],
  ["GET", "/api/v1/context"],
  ["GET", "/nowhere"],
  ["POST", "/api/v1/cli"],
] as const)("%s %s says which clients are too old, and forbids browsers to sniff", async (method, url) => {
  const answer = await backend.server.inject({ method, url });
  expect(answer.headers["x-svc-min-client"]).toMatch(/^\d+\.\d+\.\d+$/);
  expect(answer.headers["x-content-type-options"]).toBe("nosniff");
  expect(answer.headers["content-security-policy"]).toContain("default-src 'none'");
});

test("no cache stores answers behind a credential", async () => {
  const { headers } = await backend.type(tenant.token, "notes list");
  expect(headers["cache-control"]).toBe("no-store");
});
