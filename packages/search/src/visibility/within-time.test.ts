import { randomUUID } from "node:crypto";
import { Database, type TenantTransaction } from "@svc/database/database";
import { createTestDatabase, type TestDatabase } from "@svc/testing/test-database";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withinTime } from "./within-time.ts";

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = new Database({ url: testDatabase.appUrl });
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

test("leaves no time limit behind for the statements that follow", async () => {
  await read(async (transaction) => {
    const before = await settings(transaction);
    expect(await withinTime(transaction, 1_000, async () => "found")).toBe("found");
    expect(await settings(transaction)).toEqual(before);
    await pgSleep(transaction, 1.2);
  });
});

test("gives up a statement that takes too long, and the transaction continues as it was", async () => {
  await read(async (transaction) => {
    const before = await settings(transaction);
    expect(
      await withinTime(transaction, 50, () => pgSleep(transaction, 5).then(() => "slept")),
    ).toBeUndefined();
    expect(await settings(transaction)).toEqual(before);
  });
});

test("within another, gives that one its limits back", async () => {
  await read((transaction) =>
    withinTime(transaction, 10_000, async () => {
      const outer = await settings(transaction);
      const inner = () => settings(transaction);
      const plans = { plans: "force_generic_plan" } as const;
      expect(await withinTime(transaction, 9_000, inner, plans)).toMatchObject({ timeout: "9s" });
      expect(await settings(transaction)).toEqual(outer);
    }),
  );
});

test("keeps no savepoint, whether it ends in time or not", async () => {
  for (const seconds of [0, 5]) {
    const after = read(async (transaction) => {
      await withinTime(transaction, 50, () => pgSleep(transaction, seconds));
      await sql`rollback to savepoint searching`.execute(transaction.db);
    });
    await expect(after).rejects.toMatchObject({ code: "3B001" });
  }
});

test("passes on every other error", async () => {
  const failure = new Error("not about time");
  const failing = read((transaction) => withinTime(transaction, 50, () => Promise.reject(failure)));
  await expect(failing).rejects.toBe(failure);
});

function read<T>(work: (transaction: TenantTransaction) => Promise<T>): Promise<T> {
  return database.withTenant({ tenantId: randomUUID(), actorId: randomUUID() }, "read", work);
}

async function settings({ db }: TenantTransaction) {
  const { rows } = await sql`
    select current_setting('statement_timeout') as timeout, current_setting('jit') as jit,
      current_setting('plan_cache_mode') as plans`.execute(db);
  return rows[0];
}

async function pgSleep({ db }: TenantTransaction, seconds: number): Promise<void> {
  await sql`select pg_sleep(${seconds})`.execute(db);
}
