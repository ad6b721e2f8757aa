import { Database } from "@svc/database/database";
import { createTestDatabase } from "@svc/testing/test-database";
import { waitUntil } from "@svc/testing/wait-until";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { Liveness } from "../../platform/health/liveness.ts";
import { processReadiness } from "../../platform/health/process-readiness.ts";
import { Embedders } from "../../platform/search/embedders.ts";
import { createHealthServer } from "./health-server.ts";

test("a process with a slot that is busy beyond every time-out is stuck, and well again when it is free", async () => {
  const testDatabase = await createTestDatabase();
  const database = new Database({ url: testDatabase.appUrl, maxConnections: 3 });
  const server = createHealthServer({
    liveness: new Liveness(database, 200),
    readiness: processReadiness({
      database,
      blobStore: { check: async () => {} },
      staging: { check: async () => {} },
      embedders: new Embedders([]),
      log: pino({ level: "silent" }),
    }),
  });
  onTestFinished(async () => {
    await server.close();
    await database.close();
    await testDatabase.drop();
  });
  const health = async () => {
    const { statusCode, body } = await server.inject({ url: "/healthz" });
    return [statusCode, JSON.parse(body)];
  };
  expect(await health()).toEqual([200, { status: "ok" }]);
  const { promise: held, resolve: giveBack } = Promise.withResolvers<void>();
  const holding = database.withDirectory(() => held);
  await waitUntil(async () =>
    expect(await health()).toEqual([503, { status: "stuck", reason: "database_slots" }]),
  );
  await expect.poll(async () => (await server.inject({ url: "/readyz" })).statusCode).toBe(200);
  giveBack();
  await holding;
  expect(await health()).toEqual([200, { status: "ok" }]);
});
