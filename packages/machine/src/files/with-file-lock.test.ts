import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
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

/** Within a time that is too short to make a lock stale. */
async function isGiven(millis = 10_000): Promise<boolean> {
  const giveUp = AbortSignal.timeout(millis);
  return withFileLock(path, giveUp, async () => true).catch(() => false);
}

test("lets in one at a time, and leaves nothing behind", async () => {
  let inside = 0;
  let most = 0;
  const visit = () =>
    withFileLock(path, signal, async () => {
      inside += 1;
      most = Math.max(most, inside);
      await sleep(5);
      inside -= 1;
    });
  await Promise.all(Array.from({ length: 12 }, visit));
  expect(most).toBe(1);
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
  expect(await isGiven(200)).toBe(false);
  await leaveLock(path, { pid: deadPid(), host: "another" });
  expect(await isGiven(200)).toBe(false);
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
  let inside = 0;
  const visit = () =>
    withFileLock(path, signal, async () => {
      inside += 1;
      expect(inside).toBe(1);
      await sleep(5);
      inside -= 1;
    });
  await Promise.all(Array.from({ length: 12 }, visit));
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
  let waiting: Promise<number> | undefined;
  await withFileLock(path, signal, async () => {
    waiting = withFileLock(path, signal, since);
    // After a refusal it checks who holds the lock, and retries 20 ms later at the earliest.
    await vi.waitFor(() => expect(readdir).toHaveBeenCalledWith(path), 10_000);
  });
  expect(await waiting).toBeGreaterThan(began + 10);
});

async function since(): Promise<number> {
  const [id = ""] = await readdir(path);
  return JSON.parse(await readFile(join(path, id), "utf8")).since;
}
