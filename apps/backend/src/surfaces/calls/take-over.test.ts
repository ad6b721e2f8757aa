import { randomUUID } from "node:crypto";
import { mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { Staging } from "../../platform/uploads/staging.ts";
import { TakeOver } from "./take-over.ts";

const rin = {
  actor: { id: randomUUID(), kind: "human", name: "Rin", isAdministrator: false },
  tenant: { id: randomUUID(), name: "Kumo" },
  credential: { kind: "access_token" },
  scopes: ["*"],
} as const;

test("takes over what a process has left, but not what has ended", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const folder = await mkdtemp(join(tmpdir(), "svc-take-over-"));
  const staging = new Staging(folder);
  const leave = async (hasEnded: boolean) => {
    const call = staging.newCall(rin, new Date());
    if (hasEnded) await call.finish();
    const lease = await call.lease.take();
    await call.lease.describe({ caller: rin, ticket: { call: { id: call.id, askedAt: call.askedAt } } });
    await lease.release();
    return call.id;
  };
  await leave(true);
  const left = await leave(false);
  await leave(true);
  // Its process died while it removed the call.
  const half = join(folder, "staging", rin.tenant.id, rin.actor.id, await leave(false));
  await rename(half, `${half}.${randomUUID()}`);

  const run = vi.fn().mockResolvedValue(undefined);
  const log = { info() {}, warn: vi.fn() };
  const takeOver = new TakeOver({ staging, commits: { run }, limits: {}, log } as never);
  vi.advanceTimersByTime(10_000);
  await takeOver.close();
  await rm(folder, { recursive: true });
  expect(run.mock.calls.map(([{ id }]) => id)).toEqual([left]);
  expect(log.warn).not.toHaveBeenCalled();
});
