import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { faultSize } from "@svc/testing/fault-size";
import { Stopwatch } from "@svc/testing/stopwatch";
import { createTestDatabase, type TestDatabase } from "@svc/testing/test-database";
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

beforeAll(async () => {
  [svc, testDatabase] = await Promise.all([CompiledSvc.build(), createTestDatabase()]);
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
  await testDatabase?.drop();
  await svc?.remove();
});

const listOf = (collection: string) => ["records", "list", collection, "--workspace", "sales"];
const list = listOf("customers");

async function fill(collection: string, records: number, noteLength: number): Promise<void> {
  const admin = new pg.Client({ connectionString: testDatabase.adminUrl });
  await admin.connect();
  await admin.query(
    `insert into app.record (tenant_id, collection_id, title, fields, created_by, updated_by)
     select tenant_id, id, 'customer ' || number,
       jsonb_build_object(fields->0->>'key', 'customer ' || number, fields->1->>'key', repeat('x', $2)),
       created_by, created_by
     from app.collection, generate_series(1, $1) as number where slug = $3`,
    [records, noteLength, collection],
  );
  await admin.query("analyze app.record");
  await admin.end();
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

/** Once no more are served: soon if the reader stops the server, and all of them if it does not. */
async function pagesServedAtRest(): Promise<number> {
  for (let served = await pagesServed(); ; ) {
    await sleep(1_000);
    const now = await pagesServed();
    if (now === served) return now;
    served = now;
  }
}

function report(figures: Record<string, unknown>): void {
  if (process.env.SVC_FAULTS === "full") process.stdout.write(`${JSON.stringify({ size, ...figures })}\n`);
}

test.for(["tsv", "json", "text"])(
  "every record comes once, in order, in little memory: %s",
  async (format) => {
    const flags = format === "text" ? [] : ["--format", format];
    const child = svc.spawn([...list, "--all", ...flags], { environment });
    child.stdin.end();
    const before = await memoryOf(api.pid);
    let [numbers, rest, first, last] = [0, "", 0, 0];
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      last = (await memoryOf(child.pid)) || last;
      first ||= last;
      const text = rest + chunk;
      const end = text.lastIndexOf("\n") + 1;
      rest = text.slice(end);
      for (const [, number] of text.slice(0, end).matchAll(/^(?: +"title": ")?customer (\d+)/gm)) {
        numbers += 1;
        if (Number(number) !== numbers) throw new Error(`${number} came as number ${numbers}`);
      }
    }
    const apiGrowth = Math.round((await memoryOf(api.pid)) - before);
    const svcGrowth = Math.round(last - first);
    report({ format, apiGrowthMb: apiGrowth, svcGrowthMb: svcGrowth });
    expect(numbers).toBe(size);
    expect([apiGrowth, svcGrowth].filter((megabytes) => megabytes > 64)).toEqual([]);
  },
);

test("the first row comes soon", async () => {
  const times: number[] = [];
  for (let run = 0; run < 5; run += 1) {
    const watch = new Stopwatch();
    const child = svc.spawn([...list, "--all", "--format", "tsv"], { environment });
    child.stdin.end();
    await once(child.stdout, "readable");
    times.push(Math.round(watch.stop()));
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  report({ firstRowMillis: times });
  expect(Math.min(...times)).toBeLessThan(200);
});

test("a reader that closes ends it at both ends", async () => {
  const before = await pagesServed();
  const line = `$svc ${list.join(" ")} --all --format tsv | { head -1; date +%s%3N >&2; }; date +%s%3N`;
  const runs = [await bash(line), await bash(line), await bash(line)];
  for (const { out } of runs) expect(out).toMatch(/^customer 1\t/);
  report({ headMillis: runs.map(({ millis }) => millis) });
  expect(Math.min(...runs.map(({ millis }) => millis))).toBeLessThanOrEqual(100);
  const after = await pagesServedAtRest();
  report({ pagesServedForHeads: after - before, of: runs.length * Math.ceil(size / 200) });
  expect(after - before).toBeLessThan((runs.length * size) / 200 / 2);
});

test("a reader that pauses stops the server too", async () => {
  const before = await pagesServed();
  const child = svc.spawn([...listOf("letters"), "--all", "--format", "json"], { environment });
  child.stdin.end();
  await once(child.stdout, "readable");
  const paused = await pagesServedAtRest();
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

/** A line of bash, in which $svc is the client; how long svc took to end after its reader. */
function bash(line: string): Promise<{ out: string; millis: number }> {
  return new Promise((resolve, reject) => {
    const env = { PATH: "/usr/bin:/bin", HOME: svc.home, svc: svc.path, ...environment };
    execFile("bash", ["-c", line], { env, cwd: svc.folder, timeout: 60_000 }, (error, out, remarks) => {
      if (error) reject(error);
      else resolve({ out, millis: Number(out.trim().split("\n").at(-1)) - Number(remarks.trim()) });
    });
  });
}
