import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, expect, test, vi } from "vitest";
import { LimitWait } from "./limit-wait.ts";

vi.mock("node:timers/promises", () => ({ setTimeout: vi.fn(async () => {}) }));

const { signal } = new AbortController();
let now = 0;
beforeEach(() => {
  now = 1_000;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  vi.mocked(sleep).mockClear();
});

/** Time passes while it waits. */
async function wait(limit: LimitWait, seconds: number): Promise<boolean> {
  const isOver = await limit.wait(seconds, signal, () => {});
  if (isOver) now += seconds * 1_000;
  return isOver;
}

test("waits as long as it is told, until that makes ten minutes", async () => {
  const limit = new LimitWait();
  for (let count = 1; count <= 10; count += 1) expect(await wait(limit, 60)).toBe(true);
  expect(vi.mocked(sleep).mock.calls.map(([millis]) => millis)).toEqual(Array(10).fill(60_000));
  expect(await wait(limit, 1)).toBe(false);
  expect(sleep).toHaveBeenCalledTimes(10);
});

test("does not begin a wait that is too long", async () => {
  const onBegin = vi.fn();
  expect(await new LimitWait().wait(601, signal, onBegin)).toBe(false);
  expect(onBegin).not.toHaveBeenCalled();
});

test("several that wait at the same time count once", async () => {
  const limit = new LimitWait();
  for (let count = 1; count <= 40; count += 1) expect(await limit.wait(400, signal, () => {})).toBe(true);
  now += 400_000;
  expect(await wait(limit, 201)).toBe(false);
  expect(await wait(limit, 200)).toBe(true);
});
