import { afterAll, beforeAll, expect, test } from "vitest";
import { startFixtureBackend } from "../../../testing/fixture-backend.ts";
import type { TestBackend, TestTenant } from "../../../testing/test-backend.ts";
import { createMetricsServer } from "./metrics-server.ts";

let backend: TestBackend;
let tenant: TestTenant;

beforeAll(async () => {
  backend = await startFixtureBackend();
  tenant = await backend.addTenant();
});
afterAll(() => backend.close());

async function scrape(): Promise<string> {
  const server = createMetricsServer(backend.metrics);
  const answer = await server.inject({ method: "GET", url: "/metrics" });
  expect(answer.headers["content-type"]).toMatch(/^text\/plain; version=0\.0\.4/);
  return answer.body;
}

test("counts answers by command, code and dependency, in Prometheus text", async () => {
  const key = { headers: { "idempotency-key": "0198a3e0-0000-4000-8000-000000000002" } };
  await backend.type(tenant.token, "notes add hello", key);
  await backend.type(tenant.token, "notes add hello", key);
  await backend.type(tenant.token, "notes add hello --dry-run");
  await backend.type(tenant.token, "notes add");
  await backend.whileBroken(() => backend.type(tenant.token, "notes fail"));
  await backend.type(tenant.token, "no such command");
  const lines = (await scrape()).split("\n").filter((line) => line.startsWith("svc_command_total{"));
  expect(lines.sort()).toEqual([
    'svc_command_total{command="none",code="usage",dependency="none"} 1',
    'svc_command_total{command="notes add",code="done",dependency="none"} 1',
    'svc_command_total{command="notes add",code="invalid_arguments",dependency="none"} 1',
    'svc_command_total{command="notes add",code="previewed",dependency="none"} 1',
    'svc_command_total{command="notes add",code="replayed",dependency="none"} 1',
    'svc_command_total{command="notes fail",code="internal",dependency="none"} 1',
  ]);
});

test("times requests by route, never by address", async () => {
  await backend.server.inject({ method: "GET", url: "/api/v1/downloads/some-ticket" });
  await backend.server.inject({ method: "GET", url: "/made/up/by/a/caller" });
  const text = await scrape();
  expect(text).toContain('route="/api/v1/downloads/:ticket",status="401"');
  expect(text).toContain('route="none",status="404"');
  expect(text).not.toMatch(/some-ticket|made\/up/);
});

test("reports on the process and the pool", async () => {
  backend.metrics.watchPool(() => backend.database.usage);
  const text = await scrape();
  expect(text).toContain("process_resident_memory_bytes");
  expect(text).toMatch(/svc_database_connections\{state="idle"\} \d/);
});

test("is not on the public port", async () => {
  const answer = await backend.server.inject({
    method: "GET",
    url: "/metrics",
    headers: { authorization: `Bearer ${tenant.token}` },
  });
  expect(answer.statusCode).toBe(404);
});
