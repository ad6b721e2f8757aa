import { pino } from "pino";
import { expect, test } from "vitest";
import { forEachTenant } from "./for-each-tenant.ts";

const log = pino({ level: "silent" });
const tasks = ["red", "green", "blue"].map((tenantId) => ({ tenantId }));

test("a failing tenant does not stop the others, and the job fails at the end", async () => {
  const done: string[] = [];
  const job = forEachTenant(tasks, { log, signal: undefined }, async ({ tenantId }) => {
    if (tenantId === "red") throw new Error("locked");
    done.push(tenantId);
  });
  await expect(job).rejects.toMatchObject({ errors: [new Error("locked")] });
  expect(done).toEqual(["green", "blue"]);
});

test("a stopping worker starts no further tenant", async () => {
  const stopping = new AbortController();
  const done: string[] = [];
  await forEachTenant(tasks, { log, signal: stopping.signal }, async ({ tenantId }) => {
    done.push(tenantId);
    stopping.abort();
  });
  expect(done).toEqual(["red"]);
});
