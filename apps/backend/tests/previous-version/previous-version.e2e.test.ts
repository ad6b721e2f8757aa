import { execFileSync, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  allowRoleLogins,
  databaseUrl,
  ensureDatabase,
  roleUrl,
  withAdmin,
} from "@svc/database/development-server";
import { migrate } from "@svc/database/migrate";
import { waitUntil } from "@svc/testing/wait-until";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { ApiProcess } from "../../testing/processes/api-process.ts";
import { HttpCaller } from "../../testing/processes/http-caller.ts";
import { WorkerProcess } from "../../testing/processes/worker-process.ts";
import { PreviousVersion } from "./previous-version.ts";

/**
 * A release is rolled out while people work: the newest migration is applied under processes of the version before, and
 * they serve until the last of them is replaced.
 */
const name = `svc_previous_${randomBytes(6).toString("hex")}`;
const adminUrl = databaseUrl(name);
let previous: PreviousVersion;
let admin: pg.Client;
let api: ApiProcess;
let worker: WorkerProcess;
let caller: HttpCaller;

beforeAll(async () => {
  previous = await PreviousVersion.checkOut();
});
afterAll(() => previous.remove());

/** Its processes, not started yet, on a database with its schema. */
async function prepareProcesses(): Promise<void> {
  await ensureDatabase(name);
  onTestFinished(() =>
    withAdmin(async (client) => void (await client.query(`drop database ${name} with (force)`))),
  );
  await migrate(adminUrl, { folder: previous.migrationsFolder });
  await allowRoleLogins();
  admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  onTestFinished(() => admin.end());
  api = await ApiProcess.prepare(roleUrl("svc_app", name), { checkout: previous.folder });
  onTestFinished(() => api.close());
  worker = await WorkerProcess.prepare(roleUrl("svc_worker", name), {}, previous.folder);
  onTestFinished(() => worker.close());
  caller = new HttpCaller(api.address, addAdministrator());
}

test("its processes serve while the newest migration is applied, and after it", async ({ skip }) => {
  const refusing = await previous.refusing();
  skip(refusing !== undefined, `${refusing?.name} says that they cannot`);
  await prepareProcesses();
  await Promise.all([api.start(), worker.start()]);
  await type("workspaces", "create", "Home");
  await useEveryFeature("before");

  const release = await beginBackup();
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const load = Promise.all([1, 2, 3].map((number) => workUntil(stop.signal, number)));
  // Awaited below; if something else fails first, its failure is of no interest.
  load.catch(() => {});
  const { promise: isHeldUp, resolve: reportHeldUp } = Promise.withResolvers<void>();
  const migrating = migrate(adminUrl, { report: () => reportHeldUp() });
  // It has met the backup, or needs no table that the backup has read.
  await Promise.race([migrating, isHeldUp]);
  await release();
  expect(await migrating).toEqual(previous.lacking.map((migration) => migration.name));
  await useEveryFeature("after");
  stop.abort();
  await load;

  await runEveryJob();
  expect(worker.warnings).toEqual([]);
  expect(await api.isReady()).toBe(true);
});

test("its processes say that the schema is too new for them", async ({ skip }) => {
  skip((await previous.refusing()) === undefined, "they can work with it");
  skip(!previous.comparesSchemas, "this version does not compare itself with the schema yet");
  await prepareProcesses();
  await api.start();
  await migrate(adminUrl);
  await waitUntil(async () =>
    expect(await (await fetch(`${api.address}/readyz`)).json()).toMatchObject({ reason: "schema_too_new" }),
  );
});

test("each of its commands that changes something works with the new schema", async ({ skip }) => {
  const refusing = await previous.refusing();
  skip(refusing !== undefined, `${refusing?.name} says that they do not`);
  await previous.adoptSchema();
  const everyWrite = "apps/backend/tests/catalog/previews.faults.test.ts";
  const { status, stdout, stderr } = spawnSync("vitest", ["run", everyWrite], {
    cwd: previous.folder,
    encoding: "utf8",
    // Every command succeeds at least once.
    env: { ...process.env, SVC_SEED: "5", SVC_EVERY_COMMAND: "true" },
  });
  expect(status, `${stdout}${stderr}`).toBe(0);
});

/** By its own code: ours may write what its schema does not have. */
function addAdministrator(): string {
  const program =
    "import(process.argv[1]).then(async (module) => console.log(await module.addAdministrator(process.argv[2])))";
  const file = join(previous.folder, "apps/backend/testing/administrator.ts");
  return execFileSync(process.execPath, ["-e", program, pathToFileURL(file).href, adminUrl], {
    encoding: "utf8",
  }).trim();
}

async function type(...argv: string[]): Promise<Record<string, unknown>> {
  const { status, body } = await caller.post({ argv: inHome(argv) });
  expect({ status, problem: body.code }, argv.join(" ")).toEqual({ status: 200, problem: undefined });
  return body.data as Record<string, unknown>;
}

/** What is inside a workspace names it. */
function inHome(argv: string[]): string[] {
  return /^(files|access|collections|records)$/.test(argv[0] ?? "") ? [...argv, "--workspace", "home"] : argv;
}

async function useEveryFeature(word: string): Promise<void> {
  await type("files", "mkdir", `/${word}`);
  const put = await caller.send(
    inHome(["files", "put", "./note.txt", `/${word}/note.txt`]),
    `A note from ${word}.`,
  );
  expect(put.status).toBe(200);
  expect(await type("search", "query", `note ${word}`)).toMatchObject({ items: [{}] });
  await type("files", "move", `/${word}/note.txt`, `/${word}/moved.txt`);
  await type("groups", "create", `Group ${word}`);
  await type("groups", "create", `Team ${word}`);
  await type("groups", "add", `Group ${word}`, `Team ${word}`);
  await type("access", "grant", `/${word}`, `Group ${word}`, "--role", "editor");
  await type("access", "revoke", `/${word}`, `Group ${word}`);
  await type("collections", "create", `Orders ${word}`, "--field", "name:text");
  await type("records", "create", `Orders ${word}`, "--set", "name=one");
  await type("records", "list", `Orders ${word}`);
  await type("files", "delete", `/${word}`);
  await type("search", "reindex", "--everywhere");
  await type("audit", "verify");
}

/** As a backup does: a transaction that has read every table. */
async function beginBackup(): Promise<() => Promise<void>> {
  const { rows } = await admin.query<{ tables: string }>(
    "select string_agg(format('%I.%I', schemaname, tablename), ', ') as tables from pg_tables where schemaname = 'app'",
  );
  await admin.query(`begin; lock table ${rows[0]?.tables} in access share mode`);
  return async () => {
    await admin.query("commit");
  };
}

async function workUntil(stopped: AbortSignal, number: number): Promise<void> {
  for (let round = 1; !stopped.aborted; round += 1) {
    await type("files", "mkdir", `/load-${number}-${round}`);
    await type("files", "list", "/");
  }
}

/** Every job of its schedules, now: one that fails stays in the queue with its error. */
async function runEveryJob(): Promise<void> {
  await admin.query(
    "select graphile_worker.add_job(identifier) from graphile_worker._private_known_crontabs",
  );
  await waitUntil(async () => {
    const { rows } = await admin.query("select task_identifier, last_error from graphile_worker.jobs");
    expect(rows).toEqual([]);
  });
}
