import { Database } from "@svc/database/database";
import { createTestDatabase, type TestDatabase } from "@svc/testing/test-database";
import { waitUntil } from "@svc/testing/wait-until";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { addAdministrator } from "../../testing/administrator.ts";
import { ApiProcess } from "../../testing/processes/api-process.ts";
import { HttpCaller } from "../../testing/processes/http-caller.ts";

let testDatabase: TestDatabase;
let admin: Database;
let api: ApiProcess;
let caller: HttpCaller;

beforeEach(async () => {
  testDatabase = await createTestDatabase();
  admin = new Database({ url: testDatabase.adminUrl, maxConnections: 2 });
  api = await ApiProcess.prepare(testDatabase.appUrl);
  await api.start();
  caller = new HttpCaller(api.address, await addAdministrator(testDatabase.adminUrl));
});
afterEach(async () => {
  await api.close();
  await admin.close();
  await testDatabase.drop();
});

test("SIGTERM: answers running requests, refuses new ones, and ends the process", async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const holding = admin.withDirectory(async (db) => {
    await sql`lock table app.workspace in exclusive mode`.execute(db);
    locked.resolve();
    await released;
  });
  await locked.promise;
  const begun = caller.post({ argv: ["workspaces", "create", "Underway"] });
  await waitUntil(async () => expect(await waitingForLocks()).toBe(1));

  const ended = api.end("SIGTERM");
  await waitUntil(async () => expect(await api.isReady()).toBe(false));
  await expect(caller.post({ argv: ["whoami"] })).rejects.toThrow("fetch failed");
  // It refused these after the signal, and still waits for the first one.
  expect(await waitingForLocks()).toBe(1);
  expect(api.isRunning).toBe(true);
  release();
  await holding;

  expect(await begun).toMatchObject({ status: 200, body: { committed: true, data: { name: "Underway" } } });
  expect(await ended).toBe(0);
  expect(api.output).toBe("");
});

test("SIGTERM with nothing to do, and connections kept open, ends the process without force", async () => {
  await caller.post({ argv: ["whoami"] });
  // Its callers would keep them for more than a minute; if it waits for them, it is ended by force, with another code.
  expect(await api.end("SIGTERM")).toBe(0);
});

async function waitingForLocks(): Promise<number> {
  const { rows } = await admin.withDirectory((db) =>
    sql<{ waiting: number }>`
      select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db),
  );
  return rows[0]?.waiting ?? 0;
}
