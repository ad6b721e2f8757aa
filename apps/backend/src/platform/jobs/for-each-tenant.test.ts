import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { forEachDueTenant, forEachTenant } from "./for-each-tenant.ts";

const parts = { log: pino({ level: "silent" }), signal: undefined };
const tasks = ["red", "green", "blue"].map((tenantId) => ({ tenantId }));

describe("for each tenant", () => {
  test("a failing tenant does not stop the others, and the job fails at the end", async () => {
    const done: string[] = [];
    const job = forEachTenant(tasks, parts, async ({ tenantId }) => {
      if (tenantId === "red") throw new Error("locked");
      done.push(tenantId);
    });
    await expect(job).rejects.toMatchObject({ errors: [new Error("locked")] });
    expect(done).toEqual(["green", "blue"]);
  });

  test("a tenant that hangs does not keep the others waiting", async () => {
    const done: string[] = [];
    const { promise: isBlueDone, resolve } = Promise.withResolvers<void>();
    await forEachTenant(tasks, parts, async ({ tenantId }) => {
      if (tenantId === "red") await isBlueDone;
      if (tenantId === "blue") resolve();
      done.push(tenantId);
    });
    expect(done).toEqual(["green", "blue", "red"]);
  });

  test("a stopping worker starts no further tenant", async () => {
    const stopping = new AbortController();
    const done: number[] = [];
    const many = Array.from({ length: 20 }, (_, index) => ({ tenantId: `${index}`, index }));
    await forEachTenant(many, { ...parts, signal: stopping.signal }, async ({ index }) => {
      await Promise.resolve();
      done.push(index);
      stopping.abort();
    });
    expect(done).toEqual([0, 1, 2, 3]);
  });
});

describe("for each tenant that is due", () => {
  const world = (count: number) => {
    const due = new Set(Array.from({ length: count }, (_, index) => `${index}`));
    const list = async (batch: number) => [...due].slice(0, batch).map((tenantId) => ({ tenantId }));
    return { due, list };
  };

  test("goes on until nothing is left, however much that is", async () => {
    const { due, list } = world(1_234);
    await forEachDueTenant(list, parts, async ({ tenantId }) => void due.delete(tenantId));
    expect(due.size).toBe(0);
  });

  test("leaves those that fail for the next time, and does not try them forever", async () => {
    const { due, list } = world(300);
    const isBroken = (tenantId: string) => Number(tenantId) < 30;
    const job = forEachDueTenant(list, parts, async ({ tenantId }) => {
      if (isBroken(tenantId)) throw new Error("locked");
      due.delete(tenantId);
    });
    await expect(job).rejects.toThrow("some tenants");
    expect([...due].every(isBroken)).toBe(true);
  });

  test("ends when a whole batch fails", async () => {
    const { list } = world(300);
    let tries = 0;
    const job = forEachDueTenant(list, parts, async () => {
      tries += 1;
      throw new Error("the database is down");
    });
    await expect(job).rejects.toThrow("some tenants");
    expect(tries).toBe(100);
  });
});
