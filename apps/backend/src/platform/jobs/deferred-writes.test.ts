import { pino } from "pino";
import { expect, test } from "vitest";
import { DeferredWrites } from "./deferred-writes.ts";

const scope = { tenantId: "tenant", actorId: "actor" };
const log = pino({ level: "silent" });

function recorder() {
  const done: string[] = [];
  const database = {
    withTenant: (_scope: unknown, mode: string, work: (transaction: never) => Promise<unknown>) => {
      done.push(mode);
      return work({} as never);
    },
  } as never;
  return { done, database };
}

test("does its work shortly after, and continues after a failure", async () => {
  const { done, database } = recorder();
  const writes = new DeferredWrites(database, log, 10);
  expect(
    writes.add(scope, async () => {
      throw new Error("no");
    }),
  ).toBe(true);
  writes.add(scope, async () => {
    done.push("second");
  });
  expect(done).toEqual([]);
  await expect.poll(() => done).toEqual(["write", "write", "second"]);
});

test("refuses more than it can hold", async () => {
  const { done, database } = recorder();
  const writes = new DeferredWrites(database, log, 60_000);
  const taken = Array.from({ length: 1_001 }, () => writes.add(scope, async () => {}));
  expect(taken.filter(Boolean)).toHaveLength(1_000);
  await writes.flush();
  expect(done).toHaveLength(1_000);
  expect(writes.add(scope, async () => {})).toBe(true);
});

test("a tenant whose write hangs, or that has too many writes, does not hold up another", async () => {
  const { done, database } = recorder();
  const writes = new DeferredWrites(database, log, 10);
  const { promise: unlocked, resolve: unlock } = Promise.withResolvers<void>();
  for (let index = 0; index <= 1_000; index += 1) writes.add(scope, () => unlocked);
  const isTaken = writes.add({ ...scope, tenantId: "other" }, async () => {
    done.push("other");
  });
  expect(isTaken).toBe(true);
  await expect.poll(() => done).toContain("other");
  unlock();
});
