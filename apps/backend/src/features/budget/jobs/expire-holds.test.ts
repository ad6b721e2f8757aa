import { expect } from "vitest";
import { test } from "../../../../testing/backend-test.ts";
import { withWorker } from "../../../../testing/worker-test.ts";
import { reserve } from "../holds.ts";
import expireHolds from "./expire-holds.ts";

test("books abandoned holds as spent in every tenant, and warns", async ({ backend }) => {
  const tenants = [await backend.addTenant(), await backend.addTenant()];
  const now = new Date();
  const after = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
  for (const { id, token } of tenants) {
    await backend.run(token, "budget set --limit 1");
    await backend.database.withTenant({ tenantId: id, actorId: id }, "write", async (transaction) => {
      const common = { purpose: "document", micros: 450_000n, defaultLimitMicros: 0n } as const;
      // Never settled, and always in the month of the test: the job's clock moves forward instead.
      await reserve(transaction, { ...common, now });
      await reserve(transaction, { ...common, now });
    });
  }
  // The job books holds of every tenant in the database, which other tests use as well.
  const warnings: unknown[] = [];
  const isOurs = ({ tenant }: { tenant?: string }) => tenants.some(({ id }) => id === tenant);
  const runAt = (at: Date) =>
    withWorker(backend, (context) => {
      const warn = (told: { tenant?: string }, text: string) => isOurs(told) && warnings.push([told, text]);
      const log = { warn } as never;
      return expireHolds.run({ ...context, log, now: at });
    });
  await runAt(after(9));
  expect(warnings).toEqual([]);
  await runAt(after(10));
  await runAt(after(10));
  expect(warnings).toHaveLength(4);
  for (const { id, token } of tenants) {
    const told = { tenant: id, month: expect.any(String), holds: 2, micros: "900000" };
    expect(warnings).toContainEqual([told, "booked model calls that never reported their cost"]);
    expect(await backend.run(token, "budget show")).toMatchObject({
      spent: "0.90",
      held: "0.00",
      uses: [{ purpose: "document", calls: 0, tokens: 0, spent: "0.90" }],
      alerts: [{ percent: 80 }],
    });
  }
});
