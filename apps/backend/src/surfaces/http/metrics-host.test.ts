import { createTestDatabase } from "@svc/testing/test-database";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ApiProcess, freePort } from "../../../testing/processes/api-process.ts";

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let api: ApiProcess | undefined;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await api?.close();
  await database.drop();
});

/** Another address of this machine: a server on 127.0.0.1 does not answer there, one on all addresses does. */
const elsewhere = "127.0.0.2";

test("metrics stay on this machine when the API listens everywhere", async () => {
  const metricsPort = await freePort();
  api = await ApiProcess.prepare(database.appUrl, {
    environment: { SVC_HOST: "0.0.0.0", SVC_METRICS_PORT: String(metricsPort) },
  });
  await api.start();
  const apiPort = Number(new URL(api.address).port);
  expect(await answers(elsewhere, apiPort, "/healthz")).toBe(true);
  expect(await answers("127.0.0.1", metricsPort, "/metrics")).toBe(true);
  expect(await answers(elsewhere, metricsPort, "/metrics")).toBe(false);
});

function answers(host: string, port: number, path: string): Promise<boolean> {
  return fetch(`http://${host}:${port}${path}`).then(
    ({ ok }) => ok,
    () => false,
  );
}
