import { expect, test, vi } from "vitest";
import { startFixtureBackend } from "../../../testing/fixture-backend.ts";

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
    expect(await get("/readyz")).toEqual([200, { status: "ready" }]);

    const underway = backend.type(token, "notes slow hello --steps 50 --millis 10");
    const { database } = backend;
    await vi.waitUntil(() => database.usage.total > database.usage.idle, { interval: 5, timeout: 10_000 });
    await backend.testDatabase.drop();
    expect(await underway).toMatchObject({ status: 503, body: { code: "unavailable", exitCode: 30 } });

    await vi.waitFor(
      async () => expect(await get("/readyz")).toEqual([503, { status: "not ready" }]),
      10_000,
    );
    expect(await get("/healthz")).toEqual([200, { status: "ok" }]);
  } finally {
    await backend.close();
  }
});
