import { expect, test, vi } from "vitest";
import { ShortCache } from "./short-cache.ts";

function cacheWithClock(timeToLive: number, maxEntries?: number) {
  const clock = { now: 0 };
  return { clock, cache: new ShortCache<string>(timeToLive, maxEntries, () => clock.now) };
}

test("loads once per time to live", async () => {
  const { clock, cache } = cacheWithClock(100);
  const load = vi.fn(async () => `loaded at ${clock.now}`);
  expect(await cache.get("key", load)).toBe("loaded at 0");
  clock.now = 99;
  expect(await cache.get("key", load)).toBe("loaded at 0");
  clock.now = 101;
  expect(await cache.get("key", load)).toBe("loaded at 101");
  expect(load).toHaveBeenCalledTimes(2);
});

test("counts from the start of a load, so that a slow load does not extend the age of its value", async () => {
  const { clock, cache } = cacheWithClock(100);
  const slow = Promise.withResolvers<string>();
  const first = cache.get("key", () => slow.promise);
  clock.now = 90;
  slow.resolve("old");
  expect(await first).toBe("old");
  clock.now = 101;
  expect(await cache.get("key", async () => "new")).toBe("new");
});

test("concurrent callers share one load", async () => {
  const { cache } = cacheWithClock(100);
  const slow = Promise.withResolvers<string>();
  const load = vi.fn(() => slow.promise);
  const answers = Promise.all(Array.from({ length: 10 }, () => cache.get("key", load)));
  slow.resolve("one");
  expect(new Set(await answers)).toEqual(new Set(["one"]));
  expect(load).toHaveBeenCalledTimes(1);
});

test("a failed load fails the callers who waited for it, and is not cached", async () => {
  const { cache } = cacheWithClock(100);
  const failing = vi.fn(async () => {
    throw new Error("down");
  });
  const both = await Promise.allSettled([cache.get("key", failing), cache.get("key", failing)]);
  expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(failing).toHaveBeenCalledTimes(1);
  expect(await cache.get("key", async () => "up again")).toBe("up again");
});

test("a late failure does not remove a newer value", async () => {
  const { clock, cache } = cacheWithClock(100);
  const late = Promise.withResolvers<string>();
  const first = cache.get("key", () => late.promise);
  clock.now = 150;
  expect(await cache.get("key", async () => "newer")).toBe("newer");
  late.reject(new Error("down"));
  await expect(first).rejects.toThrow("down");
  expect(await cache.get("key", async () => "newest")).toBe("newer");
});

test("never exceeds its bound; evicts the least recently used first", async () => {
  const { clock, cache } = cacheWithClock(1_000, 2);
  const load = (value: string) => vi.fn(async () => value);
  await cache.get("a", load("a"));
  clock.now = 1;
  await cache.get("b", load("b"));
  await cache.get("a", load("a again"));
  clock.now = 2;
  await cache.get("c", load("c"));
  expect(await cache.get("c", load("c again"))).toBe("c");
  expect(await cache.get("a", load("a again"))).toBe("a");
  expect(await cache.get("b", load("b again"))).toBe("b again");
});

test("keys do not mix", async () => {
  const { cache } = cacheWithClock(100);
  expect(await cache.get("a", async () => "of a")).toBe("of a");
  expect(await cache.get("b", async () => "of b")).toBe("of b");
});

test('"not found" is cached like anything else', async () => {
  const cache = new ShortCache<string | undefined>(100);
  const load = vi.fn(async () => undefined);
  await cache.get("key", load);
  await cache.get("key", load);
  expect(load).toHaveBeenCalledTimes(1);
});
