import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { CommitLease } from "./commit-lease.ts";

test("shows its progress while it is held, and nothing of it comes back after its folder is gone", async () => {
  const folder = await mkdtemp(join(tmpdir(), "svc-lease-"));
  const held = await new CommitLease(folder).take();
  held.note({ label: "Storing", done: 7 });
  await expect
    .poll(() => new CommitLease(folder).latest(), { timeout: 10_000 })
    .toMatchObject({
      isAlive: true,
      progress: { done: 7 },
    });
  await rm(join(folder, "commit", "attempt-1"));
  await sleep(2_200);
  expect(await readdir(join(folder, "commit"))).toEqual([]);
  expect(held.lost.aborted).toBe(false);
  await held.release();
  await rm(folder, { recursive: true });
});
