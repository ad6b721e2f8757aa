import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { leaveLock } from "../testing/leave-lock.ts";
import { withFileLock } from "./files/with-file-lock.ts";

/** How many turns each call waits before and after its work; the test says. */
let pause: () => number = () => 0;

vi.mock("node:fs/promises", async (importOriginal) => {
  const original = await importOriginal<Record<string, unknown>>();
  const slowed = Object.entries(original).map(([name, value]) => {
    if (typeof value !== "function") return [name, value];
    return [
      name,
      async (...args: unknown[]) => {
        await waitTurns();
        try {
          return await value(...args);
        } finally {
          await waitTurns();
        }
      },
    ];
  });
  return Object.fromEntries(slowed);
});

/** A waiting process retries after some turns, not after some milliseconds. */
vi.mock("node:timers/promises", async (importOriginal) => ({
  ...(await importOriginal<object>()),
  setTimeout: () => waitTurns(),
}));

async function waitTurns(): Promise<void> {
  for (let turns = pause(); turns > 0; turns -= 1) await nextTurn();
}

/** The pid of a process that has ended. */
const dead = spawnSync("true").pid;
const { signal } = new AbortController();

test("no schedule lets two processes that find a stale lock enter at once", async () => {
  const schedules = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 40 })), {
    minLength: 40,
    maxLength: 200,
  });
  const visitors = fc.integer({ min: 3, max: 4 });
  await fc.assert(
    fc.asyncProperty(schedules, visitors, async (turns, count) => {
      pause = () => 0;
      const folder = await mkdtemp(join(tmpdir(), "svc-lock-"));
      const path = join(folder, "lock");
      await leaveLock(path, { pid: dead });
      let [call, inside, most] = [0, 0, 0];
      pause = () => turns[call++ % turns.length] ?? 0;
      const visit = () =>
        withFileLock(path, signal, async () => {
          inside += 1;
          most = Math.max(most, inside);
          await waitTurns();
          inside -= 1;
        });
      await Promise.all(Array.from({ length: count }, visit));
      pause = () => 0;
      const left = await readdir(folder);
      await rm(folder, { recursive: true });
      expect({ most, left }).toEqual({ most: 1, left: [] });
    }),
    { numRuns: 60, endOnFailure: true },
  );
});
