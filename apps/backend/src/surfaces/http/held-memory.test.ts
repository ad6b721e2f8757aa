import { waitUntil } from "@svc/testing/wait-until";
import Fastify from "fastify";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import type { Liveness } from "../../platform/health/liveness.ts";
import type { Readiness } from "../../platform/health/readiness.ts";
import { registerHealth } from "./health.ts";
import { HeldMemory, type MemoryReading, processMemory } from "./held-memory.ts";
import { registerLoadShedding } from "./load-shedding.ts";

/** A process whose memory and clock the test moves. */
class Moved {
  used = 0;
  held = 0;
  clock = 0;
  collect = vi.fn(() => {
    this.used = this.held;
    this.#listener();
  });
  #listener = () => {};

  readonly reading: MemoryReading = {
    share: () => this.used,
    collect: () => this.collect(),
    onCollected: (listener) => {
      this.#listener = listener;
      return () => {};
    },
  };
  readonly now = () => this.clock;
}

let moved: Moved;
beforeEach(() => {
  moved = new Moved();
});

test("garbage is not held: a process that a burst filled goes on as soon as it was collected", () => {
  const memory = new HeldMemory(0.75, moved);
  expect(memory.isShort()).toBe(false);
  moved.used = 0.9;
  expect(memory.isShort()).toBe(false);
  expect(moved.collect).toHaveBeenCalledOnce();
  expect(moved.used).toBe(0);
});

test("what a collection leaves is held, and nobody but a collection can tell that it was let go", () => {
  const memory = new HeldMemory(0.75, moved);
  [moved.used, moved.held] = [0.9, 0.8];
  expect(memory.isShort()).toBe(true);
  moved.held = 0.1;
  moved.clock += 9_999;
  expect(memory.isShort()).toBe(true);
  expect(moved.collect).toHaveBeenCalledOnce();
  moved.clock += 1;
  expect(memory.isShort()).toBe(false);
  expect(moved.collect).toHaveBeenCalledTimes(2);
});

test("a real process holds what is reachable, and no more after a collection", async () => {
  const collected = vi.fn();
  const stop = processMemory.onCollected(collected);
  onTestFinished(stop);
  const before = processMemory.share();
  expect(before).toBeGreaterThan(0);
  expect(before).toBeLessThan(1);
  processMemory.collect();
  await waitUntil(() => expect(collected).toHaveBeenCalled());
});

async function start() {
  const app = Fastify();
  await registerLoadShedding(
    app,
    { eventLoopDelayMillis: 0, heldMemoryShare: 0.75 },
    { memory: moved.reading, now: moved.now },
  );
  registerHealth(app, {
    liveness: { report: () => ({ status: "ok" }) } as Liveness,
    readiness: { report: async () => ({ status: "ready", degraded: [] }), stop() {} } as unknown as Readiness,
  });
  app.get("/work", async () => "done");
  onTestFinished(() => app.close());
  const status = async (url: string) => (await app.inject({ url })).statusCode;
  return { app, status };
}

test("a process refuses work while its memory is held, and goes on when it is not", async () => {
  const { status } = await start();
  expect(await status("/work")).toBe(200);
  [moved.used, moved.held] = [0.9, 0.9];
  await waitUntil(async () => expect(await status("/work")).toBe(503));
  expect(await status("/readyz")).toBe(503);
  moved.used = 0.5;
  await waitUntil(async () => expect(await status("/work")).toBe(200));
  expect(await status("/readyz")).toBe(200);
});

test("a process that has refused everything for a minute is not alive; until then it is", async () => {
  const { app, status } = await start();
  [moved.used, moved.held] = [0.9, 0.9];
  await waitUntil(async () => expect(await status("/work")).toBe(503));
  expect(await status("/healthz")).toBe(200);
  moved.clock += 59_999;
  expect(await status("/healthz")).toBe(200);
  // A moment without pressure begins the minute anew.
  moved.used = 0.5;
  await waitUntil(async () => expect(await status("/work")).toBe(200));
  expect(await status("/healthz")).toBe(200);
  moved.used = 0.9;
  await waitUntil(async () => expect(await status("/work")).toBe(503));
  expect(await status("/healthz")).toBe(200);
  moved.clock += 59_999;
  expect(await status("/healthz")).toBe(200);
  moved.clock += 1;
  const answer = await app.inject({ url: "/healthz" });
  expect([answer.statusCode, answer.json()]).toEqual([503, { status: "stuck", reason: "overloaded" }]);
  moved.used = 0.5;
  await waitUntil(async () => expect(await status("/healthz")).toBe(200));
});
