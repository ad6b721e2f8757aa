import { createTestDatabase, type TestDatabase } from "@svc/testing/test-database";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Database } from "./database.ts";
import { migrationNames, migrationsFolder } from "./migrations.ts";
import { findSchemaProblem } from "./schema-problem.ts";

let testDatabase: TestDatabase;
let admin: pg.Client;
let database: Database;
const known = await migrationNames(migrationsFolder);

beforeEach(async () => {
  testDatabase = await createTestDatabase();
  admin = new pg.Client({ connectionString: testDatabase.adminUrl });
  await admin.connect();
  database = new Database({ url: testDatabase.appUrl, maxConnections: 1 });
});
afterEach(async () => {
  await database.close();
  await admin.end();
  await testDatabase.drop();
});

/** A migration of a later version, and the oldest one that its processes must know. */
async function addFutureMigration(name: string, contractAfter: string | null): Promise<void> {
  await admin.query("insert into public.svc_migration (name, digest, contract_after) values ($1, '', $2)", [
    name,
    contractAfter,
  ]);
}

test.for(["appUrl", "workerUrl"] as const)(
  "a process fits the schema that its version made: %s",
  async (role) => {
    const own = new Database({ url: testDatabase[role], maxConnections: 1 });
    expect(await findSchemaProblem(own).finally(() => own.close())).toBeUndefined();
  },
);

test("a database that lacks a migration is too old, whichever it lacks", async () => {
  await admin.query("delete from public.svc_migration where name like '0003%'");
  expect(await findSchemaProblem(database)).toMatchObject({
    reason: "schema_too_old",
    message: expect.stringContaining("lacks 0003_people_and_workspaces.sql"),
  });
});

test.for([
  "drop table public.svc_migration",
  "revoke select on public.svc_migration from svc_app",
  "alter table public.svc_migration drop column contract_after",
])("a database that was never migrated by a version like this is too old: %s", async (change) => {
  await admin.query(change);
  expect(await findSchemaProblem(database)).toMatchObject({ reason: "schema_too_old" });
});

test("a later migration that takes nothing away is fine", async () => {
  await addFutureMigration("9001_more.sql", null);
  expect(await findSchemaProblem(database)).toBeUndefined();
});

test("a later migration that takes away what this version no longer uses is fine", async () => {
  await addFutureMigration("9001_less.sql", known.at(-1)?.slice(0, 4) ?? "");
  expect(await findSchemaProblem(database)).toBeUndefined();
});

test.for(["9000", "9001"])(
  "a later migration that needs processes which know %s is too new",
  async (needed) => {
    await addFutureMigration("9001_less.sql", needed);
    expect(await findSchemaProblem(database)).toMatchObject({
      reason: "schema_too_new",
      message: expect.stringContaining(`needs processes that know migration ${needed}`),
    });
  },
);

test("a database that cannot be reached is neither", async () => {
  const nowhere = new Database({ url: "postgres://svc_app@127.0.0.1:1/svc", maxConnections: 1 });
  await expect(findSchemaProblem(nowhere)).rejects.toThrow("ECONNREFUSED");
});
