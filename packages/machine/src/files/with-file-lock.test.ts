import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { waitUntil } from "@svc/testing/wait-until";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { leaveLock } from "../../testing/leave-lock.ts";
import { withFileLock } from "./with-file-lock.ts";

vi.mock("node:fs/promises", { spy: true });

const { signal } = new AbortController();
let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "svc-lock-"));
  path = join(folder, "state", "lock");
});
afterEach(() => rm(folder, { recursive: true }));

/** The pid of a process that has ended. */
function deadPid(): number {
  return spawnSync("true").pid;
}

/** How often somebody has tried to enter so far, and how often it was refused and checked who is inside. */
const tries = () => vi.mocked(rename).mock.calls.length;
const refusals = () => vi.mocked(readdir).mock.calls.filter(([folder]) => folder === path).length;

/** Before it was refused three times. */
async function isGiven(): Promise<boolean> {
  const before = refusals();
  const giveUp = new AbortController();
  const looking = setInterval(() => {
    if (refusals() - before >= 3) giveUp.abort();
  }, 5);
  return withFileLock(path, giveUp.signal, async () => true)
    .catch(() => false)
    .finally(() => clearInterval(looking));
}

/** Twelve at once; each stays until another one has tried to enter. */
async function visitTwelveTimes(onVisit: (inside: number) => void): Promise<void> {
  let [inside, outside] = [0, 12];
  const visit = () =>
    withFileLock(path, signal, async () => {
      inside += 1;
      outside -= 1;
      onVisit(inside);
      const before = tries();
      if (outside > 0) await waitUntil(() => expect(tries()).toBeGreaterThan(before));
      inside -= 1;
    });
  await Promise.all(Array.from({ length: outside }, visit));
}

test("lets in one at a time, and leaves nothing behind", async () => {
  await visitTwelveTimes((inside) => expect(inside).toBe(1));
  expect(await readdir(join(folder, "state"))).toEqual([]);
});

test("is released if the work fails", async () => {
  const failing = withFileLock(path, signal, async () => {
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  expect(await isGiven()).toBe(true);
});

test("waits for a running process, here or elsewhere", async () => {
  await leaveLock(path);
  expect(await isGiven()).toBe(false);
  await leaveLock(path, { pid: deadPid(), host: "another" });
  expect(await isGiven()).toBe(false);
});

test.for([
  ["of a process that is gone", () => ({ pid: deadPid() })],
  ["that is too old", () => ({ host: "another", since: Date.now() - 31_000 })],
  ["from the future", () => ({ host: "another", since: Date.now() + 3_600_000 })],
] as const)("does not wait for a lock %s", async ([, holder]) => {
  await leaveLock(path, holder());
  expect(await isGiven()).toBe(true);
});

test("many processes that find a stale lock still enter one at a time", async () => {
  await leaveLock(path, { pid: deadPid() });
  await visitTwelveTimes((inside) => expect(inside).toBe(1));
});

test("a holder that was too slow does not remove the lock of the next", async () => {
  await withFileLock(path, signal, async () => {
    await rm(path, { recursive: true });
    await leaveLock(path);
  });
  expect(await readdir(path)).toEqual(["somebody"]);
});

test.for([
  ["in which nobody is", () => mkdir(path, { recursive: true })],
  ["whose file says nothing", () => leaveFile("not JSON")],
  ["with a file of the system's own", () => leaveFile("", ".DS_Store")],
] as const)("a folder %s is free", async ([, leave]) => {
  await leave();
  expect(await isGiven()).toBe(true);
  expect(await readdir(dirname(path))).toEqual([]);
});

async function leaveFile(content: string, name = "somebody"): Promise<void> {
  await mkdir(path, { recursive: true });
  await writeFile(join(path, name), content);
}

test("counts as held since it was entered, not since its holder began to wait", async () => {
  const began = Date.now();
  vi.useFakeTimers({ toFake: ["Date"], now: began });
  onTestFinished(() => void vi.useRealTimers());
  let waiting: Promise<number> | undefined;
  await withFileLock(path, signal, async () => {
    waiting = withFileLock(path, signal, since);
    await waitUntil(() => expect(refusals()).toBeGreaterThan(0));
    vi.setSystemTime(began + 5_000);
    const before = refusals();
    // The try after these began later than that.
    await waitUntil(() => expect(refusals()).toBeGreaterThan(before + 1));
  });
  expect(await waiting).toBeGreaterThanOrEqual(began + 5_000);
});

async function since(): Promise<number> {
  const [id = ""] = await readdir(path);
  return JSON.parse(await readFile(join(path, id), "utf8")).since;
}
