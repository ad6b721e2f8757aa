import { createTestDatabase, type TestDatabase } from "@svc/testing/test-database";
import { waitUntil } from "@svc/testing/wait-until";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ApiProcess } from "../../testing/processes/api-process.ts";
import { WorkerProcess } from "../../testing/processes/worker-process.ts";

let database: TestDatabase;
let admin: pg.Client;
let api: ApiProcess;
let worker: WorkerProcess;

beforeEach(async () => {
  database = await createTestDatabase();
  admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
  api = await ApiProcess.prepare(database.appUrl);
  worker = await WorkerProcess.prepare(database.workerUrl);
});
afterEach(async () => {
  await api.close();
  await worker.close();
  await admin.end();
  await database.drop();
});

test("processes that start before their database is migrated wait for it, say so, and then work", async () => {
  const { rows } = await admin.query<{ name: string }>(
    "delete from public.svc_migration where name = (select max(name) from public.svc_migration) returning *",
  );
  const name = rows[0]?.name ?? "";
  let isWorking = false;
  const started = Promise.all([
    api.start(),
    worker.start().then(() => {
      isWorking = true;
    }),
  ]);
  const lacking = `The database lacks ${name}. Run migrate.`;
  await waitUntil(async () => {
    const answer = await fetch(`${api.address}/readyz`);
    expect(await answer.json()).toMatchObject({ reason: "schema_too_old" });
    expect(api.output).toContain(lacking);
    expect(worker.warnings.join("\n")).toContain(lacking);
  });
  const { rows: queues } = await admin.query("select from pg_namespace where nspname = 'graphile_worker'");
  expect({ queues, isWorking }).toEqual({ queues: [], isWorking: false });

  await admin.query("insert into public.svc_migration (name, digest) values ($1, $2)", [
    name,
    "applied by hand",
  ]);
  await started;
});
