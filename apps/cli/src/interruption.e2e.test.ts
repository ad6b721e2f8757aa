import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { Database } from "@svc/database/database";
import { isAsleep } from "@svc/testing/is-asleep";
import { createTestDatabase } from "@svc/testing/test-database";
import { waitUntil } from "@svc/testing/wait-until";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { addAdministrator } from "../../backend/testing/administrator.ts";
import { ApiProcess } from "../../backend/testing/processes/api-process.ts";
import { HttpCaller } from "../../backend/testing/processes/http-caller.ts";
import { CompiledSvc } from "../testing/compiled-svc.ts";
import { FakeService, result } from "../testing/fake-service.ts";

const file = Buffer.alloc(400_000, "0123456789");
const fileAnswer = {
  kind: "file",
  name: "large.bin",
  size: file.length,
  sha256: createHash("sha256").update(file).digest("hex"),
  mediaType: "text/plain",
  href: "/file",
};

let svc: CompiledSvc;
let service: FakeService;
let cwd: string;
/** Whether a download completes. */
let isWell: boolean;
let ranges: (string | undefined)[];
/** The answer that was begun last. */
let answer: ServerResponse | undefined;

beforeAll(async () => {
  svc = await CompiledSvc.build();
});
afterAll(() => svc?.remove());

beforeEach(async () => {
  cwd = await mkdtemp(join(svc.folder, "here-"));
  [isWell, ranges, answer] = [false, [], undefined];
  service = await FakeService.start((request, response, body) => {
    if (request.url === "/file") {
      ranges.push(request.headers.range);
      const start = Number(/\d+/.exec(request.headers.range ?? "")?.[0] ?? 0);
      response.writeHead(start > 0 ? 206 : 200, { "content-length": file.length - start });
      if (isWell) response.end(file.subarray(start));
      else response.write(file.subarray(start, 150_000));
      answer = response;
      return;
    }
    // Uploads are read, and never answered.
    if (request.method === "PATCH") return void request.resume();
    const { argv } = JSON.parse(String(body)) as { argv: string[] };
    if (argv[0] === "busy") response.writeHead(503, { "retry-after": "5" }).end();
    if (argv[0] === "file") response.end(JSON.stringify(fileAnswer));
    if (argv[0] === "large") response.end(JSON.stringify({ ...result, text: "x".repeat(1_000_000) }));
    if (argv[0] === "put") {
      const upload = { argument: "file", path: argv[1], href: "/up", maxBytes: 1e9, acceptsFolder: false };
      const uploads = [{ ...upload, goesWithLine: false, wants: "file" }];
      response.end(JSON.stringify({ kind: "upload", uploads, continuation: "go on" }));
    }
    // Everything else is never answered.
    answer = response;
  });
});
afterEach(() => service.stop());

function begin(argv: string[], environment = service.environment) {
  const child = svc.spawn(argv, { environment, cwd });
  const ended = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
  const error = buffer(child.stderr).then(String);
  return { child, ended, error };
}

/** Sends the signal and returns how the process ended. What it asked for is never answered: it waited for nothing. */
async function interrupt({ child, ended, error }: ReturnType<typeof begin>, signal: NodeJS.Signals) {
  child.kill(signal);
  const [exitCode] = await ended;
  return { exitCode, error: await error };
}

/** Until it has dealt with all of the answer that was sent. */
async function dealtWithAnswer({ child }: ReturnType<typeof begin>): Promise<void> {
  await waitUntil(() => expect(answer?.writableLength).toBe(0));
  await waitUntil(async () => expect(await isAsleep(child.pid)).toBe(true));
}

test.for(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "%s: the server is told, and svc exits with 130",
  async (signal) => {
    const run = begin(["slow"]);
    await waitUntil(() => expect(service.requests).toBe(1));
    expect(await interrupt(run, signal)).toEqual({ exitCode: 130, error: "error: Interrupted.\n" });
    await waitUntil(() => expect(service.abandoned).toBe(1));
  },
);

test("Ctrl-C also ends it while it waits for a retry", async () => {
  const run = begin(["busy"]);
  await waitUntil(() => expect(service.requests).toBe(1));
  await dealtWithAnswer(run);
  expect(await interrupt(run, "SIGINT")).toMatchObject({ exitCode: 130, error: "error: Interrupted.\n" });
});

test("a second Ctrl-C does not wait", async () => {
  const run = begin(["slow"]);
  await waitUntil(() => expect(service.requests).toBe(1));
  run.child.kill("SIGINT");
  expect(await interrupt(run, "SIGINT")).toMatchObject({ exitCode: 130 });
});

test("Ctrl-C also ends it if nobody reads its output", async () => {
  const run = begin(["large"]);
  await waitUntil(() => expect(service.requests).toBe(1));
  await dealtWithAnswer(run);
  expect(await interrupt(run, "SIGINT")).toMatchObject({ exitCode: 130 });
});

test("Ctrl-C in a download keeps the part that arrived, and the same line resumes it", async () => {
  const run = begin(["file"]);
  // It is written in batches: what has arrived is on disk when svc has ended.
  await waitUntil(async () => expect(await readdir(cwd)).toHaveLength(1));
  await dealtWithAnswer(run);
  expect(await interrupt(run, "SIGINT")).toMatchObject({
    exitCode: 130,
    error: "error: Interrupted.\nhint: The part that arrived is kept: repeat the line to resume.\n",
  });
  expect(await sizeOfPart()).toBe(150_000);
  isWell = true;
  expect(await svc.run(["file"], { environment: service.environment, cwd })).toMatchObject({ exitCode: 0 });
  expect(ranges).toEqual([undefined, "bytes=150000-"]);
  expect(await readdir(cwd)).toEqual(["large.bin"]);
  expect(await readFile(join(cwd, "large.bin"))).toEqual(file);
});

test("Ctrl-C in an upload ends it", async () => {
  await writeFile(join(cwd, "a.bin"), Buffer.alloc(50_000_000));
  const run = begin(["put", "./a.bin"]);
  await waitUntil(() => expect(service.requests).toBe(2));
  expect(await interrupt(run, "SIGINT")).toMatchObject({ exitCode: 130 });
});

async function sizeOfPart(): Promise<number> {
  const part = (await readdir(cwd)).find((name) => name.endsWith(".part"));
  return part === undefined ? 0 : (await readFile(join(cwd, part, "content"))).length;
}

test("the server rolls back what it had begun", async () => {
  const testDatabase = await createTestDatabase();
  const admin = new Database({ url: testDatabase.adminUrl, maxConnections: 2 });
  const api = await ApiProcess.prepare(testDatabase.appUrl);
  try {
    await api.start();
    const token = await addAdministrator(testDatabase.adminUrl);
    const run = await whileLocked(admin, async () => {
      const begun = begin(["workspaces", "create", "Never"], {
        SVC_BASE_URL: api.address,
        SVC_SA_TOKEN: token,
      });
      await waitUntil(async () => expect(await waitingForLocks(admin)).toBe(1));
      return interrupt(begun, "SIGINT");
    });
    expect(run.exitCode).toBe(130);
    // Now it has its lock, and goes on to its end.
    await waitUntil(async () => expect(await openTransactions(admin)).toBe(0));
    const { body } = await new HttpCaller(api.address, token).post({ argv: ["workspaces", "list"] });
    expect(body.data).toMatchObject({ items: [] });
  } finally {
    await api.close();
    await admin.close();
    await testDatabase.drop();
  }
});

async function whileLocked<Result>(admin: Database, work: () => Promise<Result>): Promise<Result> {
  return admin.withDirectory(async (db) => {
    await sql`lock table app.workspace in exclusive mode`.execute(db);
    return work();
  });
}

async function waitingForLocks(admin: Database): Promise<number> {
  const { rows } = await admin.withDirectory((db) =>
    sql<{ waiting: number }>`
      select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db),
  );
  return rows[0]?.waiting ?? 0;
}

async function openTransactions(admin: Database): Promise<number> {
  const { rows } = await admin.withDirectory((db) =>
    sql<{ open: number }>`
      select count(*)::int as open from pg_stat_activity
      where datname = current_database() and usename = 'svc_app' and state <> 'idle'`.execute(db),
  );
  return rows[0]?.open ?? 0;
}
