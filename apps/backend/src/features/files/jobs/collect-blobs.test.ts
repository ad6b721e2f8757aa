import { pino } from "pino";
import { expect, test } from "vitest";
import type { JobContext } from "../../../platform/jobs/define-job.ts";
import collectBlobs from "./collect-blobs.ts";

test("removes the object of every deleted row, and continues while batches are full", async () => {
  const batches = [Array.from({ length: 100 }, (_, index) => `first ${index}`), ["second 0", "second 1"]];
  const expected = batches.flat();
  const removed: string[] = [];
  await run(batches, async (key) => {
    removed.push(key);
  });
  expect(removed).toEqual(expected);
});

test("stops after a batch if the worker is told to stop", async () => {
  const batches = [Array.from({ length: 100 }, String), ["left for the next time"]];
  await run(batches, async () => {}, AbortSignal.abort());
  expect(batches).toHaveLength(1);
});

test("fails if an object cannot be removed, and leaves the orphan to the sweep", async () => {
  const failing = run([["key"]], async () => {
    throw new Error("the store is down");
  });
  await expect(failing).rejects.toThrow("the store is down");
});

function run(
  batches: string[][],
  remove: (key: string) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  return collectBlobs.run({
    blobCollection: { collect: async () => batches.shift() ?? [], findOrphans: async () => [] },
    blobStore: { remove } as never,
    log: pino({ level: "silent" }),
    now: new Date(),
    signal,
  } as unknown as JobContext);
}
