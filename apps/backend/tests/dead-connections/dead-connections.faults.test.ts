import { faultSize } from "@svc/testing/fault-size";
import { SilentProxy } from "@svc/testing/silent-proxy";
import { createTestDatabase, type TestDatabase } from "@svc/testing/test-database";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { addAdministrator } from "../../testing/administrator.ts";
import { ApiProcess, freePort } from "../../testing/processes/api-process.ts";
import { HttpCaller } from "../../testing/processes/http-caller.ts";
import { WorkerProcess } from "../../testing/processes/worker-process.ts";
import { Load } from "./load.ts";

/** The real settings at full size. Without them a dead connection would last for many minutes. */
const apiSeconds = faultSize(20, 2);
const workerSeconds = faultSize(120, 2);
const patience = { timeout: (workerSeconds + 60) * 1_000, interval: 20 };
const rounds = [1, 2];

let database: TestDatabase;
let admin: pg.Client;
let apiNetwork: SilentProxy;
let workerNetwork: SilentProxy;
let api: ApiProcess;
let worker: WorkerProcess;
let metrics: string;
let caller: HttpCaller;

beforeAll(async () => {
  database = await createTestDatabase({ isLikeProduction: true });
  admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
  // A transaction of a dead connection keeps its locks until PostgreSQL ends it: by the settings of the roles, unless
  // the test is short.
  for (const [role, seconds] of [
    ["svc_app", faultSize(30, 2)],
    ["svc_worker", faultSize(60, 2)],
  ] as const) {
    const idle = `idle_in_transaction_session_timeout = '${seconds}s'`;
    await admin.query(`alter role ${role} in database ${database.name} set ${idle}`);
  }
  apiNetwork = await SilentProxy.start(database.appUrl);
  workerNetwork = await SilentProxy.start(database.workerUrl);
  const metricsPort = await freePort();
  metrics = `http://127.0.0.1:${metricsPort}/metrics`;
  api = await ApiProcess.prepare(apiNetwork.url, {
    environment: { SVC_DATABASE_TIMEOUT: String(apiSeconds), SVC_METRICS_PORT: String(metricsPort) },
  });
  worker = await WorkerProcess.prepare(workerNetwork.url, {
    SVC_WORKER_DATABASE_TIMEOUT: String(workerSeconds),
  });
  await Promise.all([api.start(), worker.start()]);
  caller = new HttpCaller(api.address, await addAdministrator(database.adminUrl));
  await caller.post({ argv: ["workspaces", "create", "Home"] });
});
afterAll(async () => {
  await api.close();
  await worker.close();
  await apiNetwork.stop();
  await workerNetwork.stop();
  await admin.end();
  await database.drop();
});

test("the API serves again after all its connections were cut silently, twice, under load", async () => {
  const load = new Load(caller, 8);
  let lastCut = 0;
  for (const _ of rounds) {
    await vi.waitUntil(() => load.hasWrittenSince(lastCut), patience);
    lastCut = load.count;
    apiNetwork.silence();
    await vi.waitUntil(() => !load.isStuckSince(lastCut) && load.hasAnswerSince(lastCut), patience);
    expect((await fetch(`${api.address}/healthz`)).status).toBe(200);
  }
  // As soon as PostgreSQL has ended the transactions of dead connections, which keep their locks until then.
  await vi.waitUntil(() => load.hasWrittenSince(lastCut), patience);
  await load.stop();
  await expect.poll(busySlots).toBe(0);
  // What is left are connections of the pool, not those that were cut.
  expect(apiNetwork.connections).toBeLessThanOrEqual(10);
  expect(await api.end("SIGTERM")).toBe(0);
});

test("the worker runs jobs again after all its connections were cut silently, twice", async () => {
  await runAJob();
  for (const _ of rounds) {
    workerNetwork.silence();
    await runAJob();
  }
  // Lanes, the listener, cron and the jobs' own; not those that were cut.
  expect(workerNetwork.connections).toBeLessThanOrEqual(10);
  await worker.kill();
});

async function busySlots(): Promise<number> {
  const text = await (await fetch(metrics)).text();
  return Number(/^svc_database_connections\{state="busy"\} (\d+)/m.exec(text)?.[1]);
}

/** Until a job runs that was added after the call: jobs that sweep a row each, one after another. */
async function runAJob(): Promise<void> {
  let added = 0;
  const hasRun = async () => {
    // A statement that was under way when its connection was cut may keep one job or one row locked for a while.
    await admin.query(`
      insert into app.idempotency (tenant_id, actor_id, key_hash, fingerprint, expires_at)
        values (uuidv7(), uuidv7(), 'key', 'old', now() - interval '1 minute');
      select graphile_worker.add_job('operations:sweep-expired')`);
    added += 1;
    const { rowCount } = await admin.query("select from app.idempotency where fingerprint = 'old'");
    return (rowCount ?? 0) < added;
  };
  await admin.query("delete from app.idempotency");
  await vi.waitUntil(hasRun, { ...patience, interval: 200 });
}
