import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { withAdmin } from "@svc/database/development-server";
import { waitUntil } from "@svc/testing/wait-until";
import pg from "pg";
import { expect, test } from "vitest";
import { startFixtureBackend } from "../../../testing/fixture-backend.ts";
import { untilBlocked } from "../../../testing/worker-test.ts";

test("a process without its database is alive but not ready, and tells callers so", async () => {
  const backend = await startFixtureBackend();
  const { token } = await backend.addTenant();
  const get = async (url: string) => {
    const { statusCode, body } = await backend.server.inject({ method: "GET", url });
    return [statusCode, JSON.parse(body)];
  };
  try {
    await backend.run(token, "notes list");
    expect(await get("/healthz")).toEqual([200, { status: "ok" }]);
    await waitUntil(async () =>
      expect(await get("/readyz")).toEqual([200, { status: "ready", degraded: [] }]),
    );

    const admin = new pg.Client({ connectionString: backend.testDatabase.adminUrl });
    admin.on("error", () => {});
    await admin.connect();
    await admin.query("begin; lock table app.note in access exclusive mode");
    const underway = backend.type(token, "notes add hello");
    await untilBlocked(backend.testDatabase);
    await withAdmin((client) => client.query(`drop database ${backend.testDatabase.name} with (force)`));
    expect(await underway).toMatchObject({ status: 503, body: { code: "unavailable", exitCode: 30 } });

    await waitUntil(async () =>
      expect(await get("/readyz")).toEqual([503, { status: "not ready", reason: "database" }]),
    );
    expect(await get("/healthz")).toEqual([200, { status: "ok" }]);
  } finally {
    await backend.close();
  }
});

test("a process that shuts down says so on connections that are still open", async () => {
  const backend = await startFixtureBackend();
  const { port, hostname } = new URL(await backend.server.listen({ host: "127.0.0.1", port: 0 }));
  const halfSent = connect(Number(port), hostname);
  halfSent.write("GET /readyz HTTP/1.1\r\nhost: x\r\n");
  const [halfReceived] = (await once(backend.server.server, "connection")) as [Socket];
  await expect.poll(() => halfReceived.bytesRead).toBeGreaterThan(0);
  const closed = backend.close();
  await expect.poll(() => backend.server.server.listening).toBe(false);
  halfSent.write("\r\n");
  expect(await text(halfSent)).toMatch(/^HTTP\/1.1 503 .*"reason":"stopping"/s);
  await closed;
});
