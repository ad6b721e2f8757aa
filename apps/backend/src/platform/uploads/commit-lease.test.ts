import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { waitUntil } from "@svc/testing/wait-until";
import { expect, onTestFinished, test, vi } from "vitest";
import { CommitLease } from "./commit-lease.ts";

test("shows its progress while it is held, and nothing of it comes back after its folder is gone", async () => {
  const folder = await mkdtemp(join(tmpdir(), "svc-lease-"));
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const held = await new CommitLease(folder).take();
  held.note({ label: "Storing", done: 7 });
  vi.advanceTimersByTime(1_000);
  await waitUntil(async () =>
    expect(await new CommitLease(folder).latest()).toMatchObject({ isAlive: true, progress: { done: 7 } }),
  );
  await rm(join(folder, "commit", "attempt-1"));
  vi.advanceTimersByTime(1_000);
  // The beat ends before.
  await held.release();
  expect(await readdir(join(folder, "commit"))).toEqual([]);
  expect(held.lost.aborted).toBe(false);
  await rm(folder, { recursive: true });
});
