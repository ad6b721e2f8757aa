import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { createTestDatabase, type TestDatabase } from "@svc/testing/test-database";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runQuery } from "./run-query.ts";

let testDatabase: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  client = new pg.Client({ connectionString: testDatabase.appUrl });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await testDatabase?.drop();
});

test("rows that nobody needs any more do not move into the old heap", async () => {
  const script = join(import.meta.dirname, "../../testing/read-many-pages.ts");
  const { stdout } = await promisify(execFile)(process.execPath, [script, testDatabase.appUrl]);
  // With the driver's own promises it is 10 MB and more.
  expect(Number(stdout)).toBeLessThan(4);
});

test("several statements have several results, and a failure names who asked", async () => {
  const results = await runQuery(client, "select 1 as a; select 2 as b");
  expect((results as unknown as pg.QueryResult[]).map(({ rows }) => rows)).toEqual([[{ a: 1 }], [{ b: 2 }]]);
  const failure = await askForNothing().catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: "42P01", stack: expect.stringContaining("askForNothing") });
});

async function askForNothing(): Promise<void> {
  await runQuery(client, "select from nothing_at_all");
}
