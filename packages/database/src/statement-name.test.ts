import { createTestDatabase, type TestDatabase } from "@svc/testing/test-database";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Database } from "./database.ts";
import { statementName, together } from "./statement-name.ts";

const scope = { tenantId: crypto.randomUUID(), actorId: crypto.randomUUID() };
let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = new Database({ url: testDatabase.appUrl, maxConnections: 1 });
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

test("a statement is prepared once on a connection, whatever its values", async () => {
  for (const value of [1, 2, 3]) {
    await database.withTenant(scope, "read", ({ db }) =>
      sql`select ${value}::int as marked_statement`.execute(db),
    );
  }
  const { rows } = await database.withTenant(scope, "read", ({ db }) =>
    sql<{ count: number }>`
      select count(*) as count from pg_prepared_statements where statement like '%marked_statement' `.execute(
      db,
    ),
  );
  expect(rows).toEqual([{ count: 1 }]);
});

test("a table that changed under a planned statement costs a new connection, not an error", async () => {
  const admin = new pg.Client({ connectionString: testDatabase.adminUrl });
  await admin.connect();
  await admin.query("create table public.shifting (a int); grant select on public.shifting to svc_app");
  const read = () =>
    database.withTenant(scope, "read", ({ db }) => sql`select * from public.shifting`.execute(db));
  await read();
  await admin.query(
    "alter table public.shifting add column b int; insert into public.shifting values (1, 2)",
  );
  await admin.end();
  expect((await read()).rows).toEqual([{ a: 1, b: 2 }]);
});

test("several statements travel together, and return the result of the last", async () => {
  const { rows } = await database.withTenant(scope, "read", ({ db }) =>
    sql`${together} savepoint here; set local jit = off; select current_setting('jit') as jit`.execute(db),
  );
  expect(rows).toEqual([{ jit: "off" }]);
});

test("beyond the bound a statement stays nameless", () => {
  for (let index = 0; index < 600; index += 1) statementName(`select ${index}`);
  expect(statementName("select 'one more'")).toBeUndefined();
  expect(statementName("select 1")).toBe(statementName("select 1"));
});
