import { RefusingDoor } from "@svc/testing/refusing-door";
import { createTestDatabase, type TestDatabase } from "@svc/testing/test-database";
import { waitUntil } from "@svc/testing/wait-until";
import pg from "pg";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readWorkerConfig } from "../../src/platform/process/config.ts";
import { WorkerProcess } from "../../testing/processes/worker-process.ts";

let database: TestDatabase;
let door: RefusingDoor;
let admin: pg.Client;
let worker: WorkerProcess;
const patience = { timeout: 60_000, interval: 200 };

beforeEach(async () => {
  database = await createTestDatabase();
  door = await RefusingDoor.start(database.workerUrl);
  admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
  worker = await WorkerProcess.prepare(door.url, { SVC_QUEUE_STUCK_SECONDS: "2" });
});
afterEach(async () => {
  await worker.close();
  await admin.end();
  await door.stop();
  await database.drop();
});

async function readiness(): Promise<unknown> {
  return (await fetch(`${worker.healthAddress}/readyz`)).json();
}

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${worker.metricsAddress}/metrics`)).text();
  return Number(new RegExp(`^${name.replace(/[{}"]/g, "\\$&")} (\\S+)$`, "m").exec(text)?.[1] ?? Number.NaN);
}

const isReady = () => expect(readiness()).resolves.toEqual({ status: "ready", degraded: [] });

test("a worker reports a stuck queue until jobs run again, and ends if its queue does", async () => {
  await worker.start();
  await waitUntil(isReady);
  expect((await fetch(`${worker.healthAddress}/healthz`)).status).toBe(200);
  await vi.waitUntil(async () => (await metric("svc_queue_ready")) === 0, patience);

  // Nobody can take the job when it is due, and everybody can see that it waits.
  await admin.query(
    "select graphile_worker.add_job('operations:sweep-expired', run_at => now() + interval '5 seconds')",
  );
  await admin.query("begin; lock table graphile_worker._private_jobs in exclusive mode");
  // It answers while the table is locked.
  await waitUntil(() => expect(readiness()).resolves.toEqual({ status: "not ready", reason: "queue_stuck" }));
  expect(await metric("svc_queue_ready")).toBe(1);
  expect(await metric("svc_queue_oldest_ready_seconds")).toBeGreaterThan(2);
  expect(worker.warnings.join()).toContain("and this worker has started none");

  await admin.query("rollback");
  const { rows } = await admin.query<{ unlocked: number }>(
    "select extract(epoch from now())::float8 as unlocked",
  );
  const unlocked = rows[0]?.unlocked ?? Number.NaN;
  await waitUntil(isReady);
  const succeeded = 'svc_schedule_last_success_timestamp_seconds{task="operations:sweep-expired"}';
  await vi.waitUntil(async () => (await metric(succeeded)) > unlocked, patience);
  expect(await metric("svc_queue_failed")).toBe(0);

  // What the queue hears when a later version has changed its tables: somebody must restart this process.
  await admin.query(`notify "worker:migrate", '{"breaking": true, "migrationNumber": 999999}'`);
  await vi.waitUntil(() => !worker.isRunning, patience);
  expect(worker.warnings.join()).toContain("the queue has ended");
});

test("a stuck queue is reported within two minutes by default", () => {
  const { queueStuckSeconds } = readWorkerConfig({ SVC_DATABASE_URL: "x", SVC_BLOB_FOLDER: "x" });
  // The answer may be a second old.
  expect(queueStuckSeconds + 1).toBeLessThan(120);
});

test("a worker whose password is refused waits, says so, and goes on when it is accepted", async () => {
  const isRefused = () => expect(readiness()).resolves.toEqual({ status: "not ready", reason: "database" });
  const refusals = () => worker.warnings.filter((line) => line.includes("28P01")).length;
  door.refuse();
  worker.begin();
  await waitUntil(isRefused);
  door.admit();
  await waitUntil(isReady);

  door.refuse();
  await waitUntil(isRefused);
  // The queue has tried again several times, and its jobs have failed.
  const attempts = refusals();
  await expect.poll(refusals).toBeGreaterThan(attempts + 3);
  expect(worker.isRunning).toBe(true);
  expect((await fetch(`${worker.healthAddress}/healthz`)).status).toBe(200);
  expect(worker.warnings.join()).toContain("28P01");

  await admin.query("delete from control.schedule_success");
  door.admit();
  await waitUntil(isReady);
  await admin.query("select graphile_worker.add_job('operations:sweep-expired')");
  await waitUntil(async () => {
    const { rows } = await admin.query("select task from control.schedule_success");
    expect(rows).toContainEqual({ task: "operations:sweep-expired" });
  });
});
