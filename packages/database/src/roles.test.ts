import { createTestDatabase, type TestDatabase } from "@svc/testing/test-database";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRoles } from "./roles.ts";

let testDatabase: TestDatabase;
let admin: pg.Client;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  admin = new pg.Client({ connectionString: testDatabase.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await testDatabase.drop();
});

/** Roles belong to the whole server: a test's changes to them are rolled back. */
async function settingsAfter(change: string): Promise<string[]> {
  await admin.query("begin");
  try {
    await admin.query(change);
    await createRoles(admin);
    const { rows } = await admin.query<{ setting: string }>(
      `select unnest(setconfig) as setting from pg_db_role_setting
       where setrole = 'svc_app'::regrole and setdatabase = 0 order by 1`,
    );
    return rows.map(({ setting }) => setting);
  } finally {
    await admin.query("rollback");
  }
}

test("a role that already existed gets its time limits", async () => {
  expect(await settingsAfter("alter role svc_app reset all")).toEqual([
    "idle_in_transaction_session_timeout=30s",
    "lock_timeout=5s",
    "statement_timeout=15s",
    "transaction_timeout=60s",
  ]);
});

test("a time limit that an operator chose stays", async () => {
  const settings = await settingsAfter("alter role svc_app set statement_timeout = '33s'");
  expect(settings).toContain("statement_timeout=33s");
});
