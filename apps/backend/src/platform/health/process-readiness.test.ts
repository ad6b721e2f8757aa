import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Database } from "@svc/database/database";
import { createEmbedder } from "@svc/embedding/create-embedder";
import { createTestDatabase, type TestDatabase } from "@svc/testing/test-database";
import { waitUntil } from "@svc/testing/wait-until";
import pg from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { FileSystemStore } from "../blobs/file-system-store.ts";
import { S3Store } from "../blobs/s3-store.ts";
import { Embedders, priced } from "../search/embedders.ts";
import { processReadiness } from "./process-readiness.ts";
import type { Readiness } from "./readiness.ts";

let testDatabase: TestDatabase;
let folder: string;
const logged: string[] = [];
const log = pino({ level: "info" }, { write: (line: string) => logged.push(line) });

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), "svc-health-"));
});
afterAll(async () => {
  await testDatabase.drop();
  await rm(folder, { recursive: true });
});

type Parts = Parameters<typeof processReadiness>[0];

function readinessWith({ url, ...parts }: Partial<Parts> & { url?: string }): Readiness {
  const database = new Database({ url: url ?? testDatabase.appUrl, maxConnections: 2 });
  onTestFinished(() => database.close());
  return processReadiness({
    database,
    blobStore: new FileSystemStore(folder),
    staging: { check: async () => {} },
    embedders: new Embedders([]),
    log,
    ...parts,
  });
}

/** The report, if it comes before a second ends, whatever hangs. Timers end in their order, on a busy machine too. */
function reportOf(readiness: Readiness): Promise<unknown> {
  return Promise.race([sleep(1_000, "late", { ref: false }), readiness.report()]);
}

/** Something that works may answer later than a report waits for it. */
async function expectReport(readiness: Readiness, expected: unknown): Promise<void> {
  await waitUntil(async () => expect(await reportOf(readiness)).toEqual(expected));
}

async function asAdmin(statement: string): Promise<void> {
  const admin = new pg.Client({ connectionString: testDatabase.adminUrl });
  await admin.connect();
  await admin.query("set default_transaction_read_only = off");
  await admin.query(statement);
  await admin.end();
}

/** Accepts connections and never answers. */
async function silentServer(): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => void sockets.add(socket)).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

test("a process with everything it needs is ready", async () => {
  await expectReport(readinessWith({}), { status: "ready", degraded: [] });
});

test.each([
  ["hangs", async () => `postgres://svc_app@127.0.0.1:${await silentServer()}/svc`],
  ["is not there", async () => "postgres://svc_app@127.0.0.1:1/svc"],
  ["refuses the role", async () => testDatabase.appUrl.replace("svc_app", "nobody")],
])("a process whose database %s is not ready: database", async (_fault, url) => {
  const readiness = readinessWith({ url: await url() });
  expect(await reportOf(readiness)).toEqual({ status: "not ready", reason: "database" });
  // While the first question hangs, the next one is not added to it.
  expect(await reportOf(readiness)).toEqual({ status: "not ready", reason: "database" });
});

test("a database without our tables is too old", async () => {
  const url = new URL(testDatabase.appUrl);
  url.pathname = "/postgres";
  await expectReport(readinessWith({ url: url.href }), { status: "not ready", reason: "schema_too_old" });
});

test("a database that a later version changed too much is too new", async () => {
  const name = "9999_later.sql";
  await asAdmin(
    `insert into public.svc_migration (name, digest, contract_after) values ('${name}', '', '9999')`,
  );
  onTestFinished(() => asAdmin(`delete from public.svc_migration where name = '${name}'`));
  await expectReport(readinessWith({}), { status: "not ready", reason: "schema_too_new" });
});

test("a read-only database is not ready until it accepts writes again", async () => {
  await asAdmin(`alter database ${testDatabase.name} set default_transaction_read_only = on`);
  const reset = () => asAdmin(`alter database ${testDatabase.name} reset default_transaction_read_only`);
  onTestFinished(reset);
  await expectReport(readinessWith({}), { status: "not ready", reason: "read_only" });
  await reset();
  await expectReport(readinessWith({}), { status: "ready", degraded: [] });
});

test.for(["blobStore", "staging"] as const)(
  "a store that is gone or full, at %s, only degrades, and is noticed when it is back",
  async (part) => {
    let failure: NodeJS.ErrnoException | undefined = Object.assign(new Error("full"), { code: "ENOSPC" });
    const check = async () => {
      if (failure) throw failure;
    };
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const readiness = readinessWith({ [part]: { check } });
    await expectReport(readiness, { status: "ready", degraded: ["store"] });
    failure = undefined;
    vi.advanceTimersByTime(6_000);
    await expectReport(readiness, { status: "ready", degraded: [] });
  },
);

test("a bucket behind a silent address degrades, and costs no answer more than a second", async () => {
  vi.stubEnv("AWS_ACCESS_KEY_ID", "somebody");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret");
  onTestFinished(() => void vi.unstubAllEnvs());
  const endpoint = `http://127.0.0.1:${await silentServer()}`;
  const readiness = readinessWith({ blobStore: new S3Store({ bucket: "b", region: "r", endpoint }) });
  expect(await reportOf(readiness)).not.toBe("late");
  await expectReport(readiness, { status: "ready", degraded: ["store"] });
});

test("a folder that cannot be written degrades the store", async () => {
  const file = join(folder, "not-a-folder");
  await writeFile(file, "");
  const blobStore = new FileSystemStore(file);
  await expectReport(readinessWith({ blobStore }), { status: "ready", degraded: ["store"] });
});

test("a model that cannot be reached degrades, without a call that costs money", async () => {
  const asked: string[] = [];
  const server = createServer((request, answer) => {
    asked.push(`${request.method} ${request.headers.authorization}`);
    answer.writeHead(404).end();
  });
  const url = await listen(server);
  const model = await createEmbedder({ kind: "openai", url, key: "key", model: "m" });
  const readiness = () => readinessWith({ embedders: new Embedders([priced(model, "1")]) });
  await expectReport(readiness(), { status: "ready", degraded: [] });
  expect(asked).toEqual(["HEAD undefined"]);

  server.closeAllConnections();
  server.close();
  await once(server, "close");
  await expectReport(readiness(), { status: "ready", degraded: ["model"] });
});

test("a model that answers with errors degrades until a call succeeds", async () => {
  let status = 500;
  const vector = Array.from({ length: 768 }, () => 1);
  const server = createServer((request, answer) => {
    if (request.method === "HEAD") return answer.writeHead(404).end();
    answer.writeHead(status).end(JSON.stringify({ data: [{ embedding: vector }] }));
  });
  const url = await listen(server);
  onTestFinished(() => void server.close());
  const embedders = new Embedders([priced(await createEmbedder({ kind: "openai", url, model: "m" }), "1")]);
  const call = () =>
    embedders.usual?.embedder.embed(["text"], { purpose: "query", signal: AbortSignal.timeout(60_000) });
  await expect(call()).rejects.toMatchObject({ kind: "unavailable" });
  await expectReport(readinessWith({ embedders }), { status: "ready", degraded: ["model"] });
  status = 200;
  await call();
  await expectReport(readinessWith({ embedders }), { status: "ready", degraded: [] });
});

test("each change is one line in the log, with its cause", async () => {
  logged.length = 0;
  const readiness = readinessWith({ url: "postgres://svc_app@127.0.0.1:1/svc" });
  await readiness.report();
  await readiness.report();
  expect(logged.map((line) => JSON.parse(line))).toMatchObject([
    { level: 40, reason: "database", err: { code: "ECONNREFUSED" } },
  ]);
});

async function listen(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}
