import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { withAdmin } from "@svc/database/development-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "./local-server/free-port.ts";

const repository = resolve(import.meta.dirname, "..");
const database = `svc_e2e_${randomBytes(4).toString("hex")}`;
const folder = mkdtempSync(join(tmpdir(), "svc-e2e-"));
/** In the order in which a newcomer types them. */
const pages = ["README.md", "docs/guides/walk-through.md"];
/** Where the walk-through saves what it takes out. */
const download = join(repository, ".dev/atelier");
let environment: NodeJS.ProcessEnv;
let dev: ChildProcess | undefined;

beforeAll(async () => {
  rmSync(download, { recursive: true, force: true });
  // A person's shell does not have the variables of this test process.
  const { SVC_BASE_URL, SVC_SA_TOKEN, ...shell } = process.env;
  environment = {
    ...shell,
    SVC_DEV_DATABASE: database,
    SVC_DEV_FOLDER: folder,
    SVC_PORT: String(await freePort()),
    SVC_METRICS_PORT: String(await freePort()),
    SVC_HEALTH_PORT: String(await freePort()),
    SVC_WORKER_METRICS_PORT: String(await freePort()),
    // The state of svc in this shell must not mix with the machine owner's.
    XDG_CONFIG_HOME: join(folder, "config"),
  };
});
afterAll(async () => {
  await stopDev();
  await withAdmin((client) => client.query(`drop database if exists ${database} with (force)`));
  rmSync(folder, { recursive: true });
  rmSync(download, { recursive: true, force: true });
});

test("npm run dev, then what README and walk-through type prints what they show", async () => {
  const shown = await startDev();
  const [source] = /source .*/.exec(shown) ?? [];
  expect(source).toBeDefined();

  let lastOperation = "";
  for (const page of pages) {
    const sessions = readSessions(readFileSync(join(repository, page), "utf8"));
    expect(sessions.length, page).toBeGreaterThan(5);
    for (const { line, output } of sessions) {
      // The page's operation is from another day; the undo that it types is of the line before.
      const typed = line.replace(/\bundo [0-9a-z]{4,}$/, `undo ${lastOperation}`);
      const { stdout, stderr } = spawnSync("bash", ["-c", `${source}\n${typed}`], {
        cwd: repository,
        env: environment,
        encoding: "utf8",
      });
      const printed = `${stdout}${stderr}`.trimEnd();
      expect.soft(withoutMoments(printed), `${page}: ${line}`).toBe(withoutMoments(output));
      lastOperation = /undo ([0-9a-z]{4,})$/m.exec(printed)?.[1] ?? lastOperation;
    }
  }
});

test("the README fits on two screens", () => {
  expect(readFileSync(join(repository, "README.md"), "utf8").split("\n").length).toBeLessThanOrEqual(100);
});

test("a second start takes no more than two cores give in 10 s, with the same token", {
  tags: ["nightly"],
}, async () => {
  await stopDev();
  const shown = await startDev();
  const spent = processorSeconds(dev?.pid);
  process.stdout.write(`second start of npm run dev: ${spent.toFixed(1)} s of processor time\n`);
  // By the clock, it would measure what else the machine does.
  expect(spent).toBeGreaterThan(0);
  expect(spent).toBeLessThan(2 * 10);
  expect(shown).toContain("svc is ready");
});

test("Ctrl-C ends everything that it started", async () => {
  const port = environment.SVC_PORT;
  await stopDev();
  await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow();
});

function startDev(): Promise<string> {
  const child = spawn("npm", ["run", "--silent", "dev"], {
    cwd: repository,
    env: environment,
    detached: true,
  });
  dev = child;
  return new Promise((resolveReady, reject) => {
    let shown = "";
    const read = (part: Buffer) => {
      shown += part.toString();
      if (shown.includes("svc help")) resolveReady(shown);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.on("exit", (code) => reject(new Error(`npm run dev ended with ${code}:\n${shown}`)));
  });
}

/** As Ctrl-C does: the signal goes to the whole foreground group. */
async function stopDev(): Promise<void> {
  const child = dev;
  dev = undefined;
  if (!child?.pid) return;
  const ended = new Promise((resolveEnd) => child.on("exit", resolveEnd));
  process.kill(-child.pid, "SIGINT");
  await ended;
}

/** What all processes of a group have used so far, with those that they waited for: proc(5). */
function processorSeconds(group: number | undefined): number {
  const ticksOfSecond = 100;
  let ticks = 0;
  for (const id of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const fields = readStat(id);
    if (Number(fields[2]) !== group) continue;
    // utime, stime, cutime, cstime
    for (const used of fields.slice(11, 15)) ticks += Number(used);
  }
  return ticks / ticksOfSecond;
}

/** From the state on: the name before it may contain anything. Empty if the process has ended. */
function readStat(id: string): string[] {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
}

/** Every `$ …` line in a console block, with the output below it. */
function readSessions(readme: string): { line: string; output: string }[] {
  const blocks = [...readme.matchAll(/```console\n([\s\S]*?)```/g)].map(([, block = ""]) => block);
  return blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((session) => {
        const [line = "", ...output] = session.split("\n");
        return { line, output: output.join("\n").trimEnd() };
      }),
  );
}

/** Ids, times and tokens are new in every run. */
function withoutMoments(text: string): string {
  return text
    .replace(/\b(ws|op|user|sa|cred|tenant|file|fold|coll|rec|group)_[0-9a-z]{26}\b/g, "$1_…")
    .replace(/\bsvc undo [0-9a-z]{4,}/g, "svc undo …")
    .replace(/preview_[\w-]{24}/g, "preview_…")
    .replace(/svc_sa_\w+/g, "svc_sa_…")
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d\.\d+)?Z/g, "(time)");
}
