import { setTimeout as sleep } from "node:timers/promises";
import { RefusingDoor } from "@svc/testing/refusing-door";
import { Stopwatch } from "@svc/testing/stopwatch";
import { createTestDatabase, type TestDatabase } from "@svc/testing/test-database";
import pg from "pg";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readWorkerConfig } from "../../src/platform/process/config.ts";
import { WorkerProcess } from "../../testing/processes/worker-process.ts";

let database: TestDatabase;
let door: RefusingDoor;
let admin: pg.Client;
let worker: WorkerProcess;
const patience = { timeout: 30_000, interval: 200 };

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
  const watch = new Stopwatch();
  const answer = await fetch(`${worker.healthAddress}/readyz`);
  expect(watch.stop()).toBeLessThan(1_500);
  return answer.json();
}

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${worker.metricsAddress}/metrics`)).text();
  return Number(new RegExp(`^${name.replace(/[{}"]/g, "\\$&")} (\\S+)$`, "m").exec(text)?.[1] ?? Number.NaN);
}

const isReady = () => expect(readiness()).resolves.toEqual({ status: "ready", degraded: [] });

test("a worker reports a stuck queue until jobs run again, and ends if its queue does", async () => {
  await worker.start();
  await vi.waitFor(isReady, patience);
  expect((await fetch(`${worker.healthAddress}/healthz`)).status).toBe(200);
  await vi.waitUntil(async () => (await metric("svc_queue_ready")) === 0, patience);

  // Nobody can take the job when it is due, and everybody can see that it waits.
  await admin.query(
    "select graphile_worker.add_job('operations:sweep-expired', run_at => now() + interval '1 second')",
  );
  await admin.query("begin; lock table graphile_worker._private_jobs in exclusive mode");
  await vi.waitFor(
    () => expect(readiness()).resolves.toEqual({ status: "not ready", reason: "queue_stuck" }),
    patience,
  );
  expect(await metric("svc_queue_ready")).toBe(1);
  expect(await metric("svc_queue_oldest_ready_seconds")).toBeGreaterThan(2);
  expect(worker.warnings.join()).toContain("and this worker has started none");

  await admin.query("rollback");
  await vi.waitFor(isReady, patience);
  const succeeded = 'svc_schedule_last_success_timestamp_seconds{task="operations:sweep-expired"}';
  await vi.waitUntil(async () => (await metric(succeeded)) > Date.now() / 1_000 - 60, patience);
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
  door.refuse();
  worker.begin();
  await vi.waitFor(isRefused, patience);
  door.admit();
  await vi.waitFor(isReady, patience);

  door.refuse();
  await vi.waitFor(isRefused, patience);
  // Long enough for the queue to try again, and for its jobs to fail.
  await sleep(3_000);
  expect(worker.isRunning).toBe(true);
  expect((await fetch(`${worker.healthAddress}/healthz`)).status).toBe(200);
  expect(worker.warnings.join()).toContain("28P01");

  await admin.query("delete from control.schedule_success");
  door.admit();
  await vi.waitFor(isReady, patience);
  await admin.query("select graphile_worker.add_job('operations:sweep-expired')");
  await vi.waitFor(async () => {
    const { rows } = await admin.query("select task from control.schedule_success");
    expect(rows).toContainEqual({ task: "operations:sweep-expired" });
  }, patience);
});
