import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { faultSize } from "@svc/testing/fault-size";
import { isAsleep } from "@svc/testing/is-asleep";
import { createTestDatabase, type TestDatabase } from "@svc/testing/test-database";
import { waitUntil } from "@svc/testing/wait-until";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addAdministrator } from "../../backend/testing/administrator.ts";
import { ApiProcess, freePort } from "../../backend/testing/processes/api-process.ts";
import { HttpCaller } from "../../backend/testing/processes/http-caller.ts";
import { CompiledSvc } from "../testing/compiled-svc.ts";
import { TmuxTerminal } from "../testing/tmux-terminal.ts";

const size = faultSize(100_000, 3_000);
/** Few but long, so that the buffers between the two ends do not hold them all. */
const letters = { size: 3_000, length: 4_000 };

let svc: CompiledSvc;
let testDatabase: TestDatabase;
let api: ApiProcess;
let environment: Record<string, string>;
let metrics: string;
let admin: pg.Client;

beforeAll(async () => {
  [svc, testDatabase] = await Promise.all([CompiledSvc.build(), createTestDatabase()]);
  admin = new pg.Client({ connectionString: testDatabase.adminUrl });
  await admin.connect();
  const token = await addAdministrator(testDatabase.adminUrl);
  const port = await freePort();
  metrics = `http://127.0.0.1:${port}/metrics`;
  api = await ApiProcess.prepare(testDatabase.appUrl, { environment: { SVC_METRICS_PORT: String(port) } });
  await api.start();
  environment = { SVC_BASE_URL: api.address, SVC_SA_TOKEN: token };
  const caller = new HttpCaller(api.address, token);
  for (const line of [
    "workspaces create sales",
    "collections create customers --field name:text --field note:text --workspace sales",
    "collections create letters --field name:text --field note:text --workspace sales",
  ]) {
    expect((await caller.post({ argv: line.split(" ") })).status).toBe(200);
  }
  await fill("customers", size, 200);
  await fill("letters", letters.size, letters.length);
  // A list before: what a busy process takes for its heap and its compiled code does not grow with the list.
  await svc.run([...list, "--all", "--format", "tsv"], { environment });
});
afterAll(async () => {
  await api?.close();
  await admin?.end();
  await testDatabase?.drop();
  await svc?.remove();
});

const listOf = (collection: string) => ["records", "list", collection, "--workspace", "sales"];
const list = listOf("customers");

async function fill(collection: string, records: number, noteLength: number): Promise<void> {
  await admin.query(
    `insert into app.record (tenant_id, collection_id, title, fields, created_by, updated_by)
     select tenant_id, id, 'customer ' || number,
       jsonb_build_object(fields->0->>'key', 'customer ' || number, fields->1->>'key', repeat('x', $2)),
       created_by, created_by
     from app.collection, generate_series(1, $1) as number where slug = $3`,
    [records, noteLength, collection],
  );
  await admin.query("analyze app.record");
}

/** The most that a process has had so far, in MB. */
async function memoryOf(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_000;
}

async function pagesServed(): Promise<number> {
  const text = await (await fetch(metrics)).text();
  return Number(
    /^svc_command_total\{[^}]*"records list"[^}]*"done"[^}]*\} (\d+)/m.exec(text)?.[1] ?? "no metric",
  );
}

/** Once no more are served, since all processes wait: soon if the reader stops the server. */
async function pagesServedAtRest(client?: number): Promise<number> {
  return waitUntil(async () => {
    const served = await pagesServed();
    for (let time = 0; time < 3; time += 1) expect(await isAtRest(client)).toBe(true);
    expect(await pagesServed()).toBe(served);
    return served;
  });
}

async function isAtRest(client?: number): Promise<boolean> {
  const asleep = await Promise.all([api.pid, client ?? api.pid].map(isAsleep));
  return asleep.every(Boolean) && (await testDatabaseIsIdle());
}

async function testDatabaseIsIdle(): Promise<boolean> {
  const { rowCount } = await admin.query(
    `select from pg_stat_activity where datname = current_database() and usename = 'svc_app' and state = 'active'`,
  );
  return rowCount === 0;
}

function report(figures: Record<string, unknown>): void {
  if (process.env.SVC_FAULTS === "full") process.stdout.write(`${JSON.stringify({ size, ...figures })}\n`);
}

const formats = ["tsv", "json", "text"];

/** The numbers of all records, in order; looks at the clients as they come. */
async function* numbersIn(
  format: string,
  onChunk: (pid: number | undefined) => Promise<void> | void = () => {},
) {
  const flags = format === "text" ? [] : ["--format", format];
  const child = svc.spawn([...list, "--all", ...flags], { environment });
  child.stdin.end();
  let rest = "";
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    await onChunk(child.pid);
    const text = rest + chunk;
    const end = text.lastIndexOf("\n") + 1;
    rest = text.slice(end);
    for (const [, number] of text.slice(0, end).matchAll(/^(?: +"title": ")?customer (\d+)/gm))
      yield Number(number);
  }
}

test.for(formats)("every record comes once, in order: %s", async (format) => {
  let numbers = 0;
  for await (const number of numbersIn(format)) {
    numbers += 1;
    if (number !== numbers) throw new Error(`${number} came as number ${numbers}`);
  }
  expect(numbers).toBe(size);
});

test.for(formats)("in little memory: %s", { tags: ["nightly"] }, async (format) => {
  const before = await memoryOf(api.pid);
  // The first chunk is the baseline: a busy machine changes nothing after it.
  let [first, last] = [0, 0];
  for await (const _ of numbersIn(format, async (pid) => {
    last = (await memoryOf(pid)) || last;
    first ||= last;
  }));
  const apiGrowth = Math.round((await memoryOf(api.pid)) - before);
  const svcGrowth = Math.round(last - first);
  report({ format, apiGrowthMb: apiGrowth, svcGrowthMb: svcGrowth });
  expect([apiGrowth, svcGrowth].filter((megabytes) => megabytes > 64)).toEqual([]);
});

test("a reader that closes ends it at both ends", async () => {
  const before = await pagesServed();
  const line = `$svc ${list.join(" ")} --all --format tsv | head -1`;
  // bash waits for both ends.
  for (const out of [await bash(line), await bash(line), await bash(line)])
    expect(out).toMatch(/^customer 1\t/);
  const runs = 3;
  const after = await pagesServedAtRest();
  report({ pagesServedForHeads: after - before, of: runs * Math.ceil(size / 200) });
  expect(after - before).toBeLessThan((runs * size) / 200 / 2);
});

test("the first rows come before the last are read, and a reader that pauses stops the server too", async () => {
  const before = await pagesServed();
  const child = svc.spawn([...listOf("letters"), "--all", "--format", "json"], { environment });
  child.stdin.end();
  await once(child.stdout, "readable");
  const paused = await pagesServedAtRest(child.pid);
  report({ pagesServedForPause: paused - before });
  expect(paused - before).toBeLessThan((letters.size / 200) * 0.9);
  child.kill("SIGKILL");
  await once(child, "exit");
});

test("on a terminal, the line for the next page is short, and works when pasted", async () => {
  const terminal = await TmuxTerminal.open({
    columns: 100,
    rows: 60,
    cwd: svc.folder,
    environment: { HOME: svc.home, PATH: `${svc.folder}/bin:/usr/bin:/bin`, ...environment },
  });
  try {
    await terminal.waitFor(/\$/);
    await terminal.type("svc records list customers --workspace sales --limit 2");
    const screen = await terminal.waitFor(/^more: /m);
    const [, pasted = "", cursor = ""] = /^more: (svc .* --cursor (\S+))$/m.exec(screen) ?? [];
    expect(cursor.length).toBeLessThanOrEqual(6);
    await terminal.type(`clear; ${pasted}`);
    await terminal.waitFor(/^customer 3\b.*\ncustomer 4\b/m);
  } finally {
    await terminal.close();
  }
});

/** What a line of bash prints, in which $svc is the client. */
async function bash(line: string): Promise<string> {
  const env = { PATH: "/usr/bin:/bin", HOME: svc.home, svc: svc.path, ...environment };
  const { stdout } = await promisify(execFile)("bash", ["-c", line], { env, cwd: svc.folder });
  return stdout;
}
