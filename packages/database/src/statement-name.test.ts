import { createTestDatabase, type TestDatabase } from "@svc/testing/test-database";
import { type Kysely, sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Database } from "./database.ts";
import { nameStatement, statementName, together } from "./statement-name.ts";
import type { DB } from "./tables.generated.ts";

/** @isolated It needs a process that has named few statements, and leaves one that names no more. */
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

test("a table that changed under a planned statement costs a new plan, and neither an error nor a connection", async () => {
  const admin = new pg.Client({ connectionString: testDatabase.adminUrl });
  await admin.connect();
  await admin.query("create table public.shifting (a int); grant select on public.shifting to svc_app");
  const read = async (db: Kysely<DB>) =>
    (await sql`select *, pg_backend_pid() as pid from public.shifting`.execute(db)).rows;
  const ways = {
    ofTenant: () => database.withTenant(scope, "read", ({ db }) => read(db)),
    ofDirectory: () => database.withDirectory(read),
  };
  await admin.query("insert into public.shifting values (1)");
  const [before] = (await ways.ofTenant()) as [{ pid: number }];
  for (const [index, way] of Object.values(ways).entries()) {
    await admin.query(`alter table public.shifting add column b${index} int`);
    expect(await way()).toMatchObject([{ a: 1, [`b${index}`]: null, pid: before.pid }]);
  }
  await admin.end();
});

test("after a migration a statement has a text that no plan of a pooler was made for", () => {
  const { text, name } = nameStatement("select 'planned'", "a1b2c3d4");
  expect(nameStatement("select 'planned'", undefined)).toEqual({
    text: "select 'planned'",
    name: statementName("select 'planned'"),
  });
  expect(text).toBe("select 'planned' /* replanned a1b2c3d4 */");
  expect(name).toBe(`${statementName("select 'planned'")}_a1b2c3d4`);
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
