import { expect, test } from "vitest";
import { Memos } from "./memo.ts";
import { WaitFirst } from "./wait-first.ts";

test("what one attempt waited for, the next one has, and only under its own key", async () => {
  const memos = new Memos();
  const attempt = (key: string) => {
    const memo = memos.of<string>(key);
    return memo.value ?? memo.waitFor(async () => `found for ${key}`);
  };
  const waiting = thrownBy(() => attempt("one"));
  expect(memos.of("one").value).toBeUndefined();
  await waiting.wait();
  expect(attempt("one")).toBe("found for one");
  expect(memos.of("another").value).toBeUndefined();
});

test("a wait that fails leaves nothing behind", async () => {
  const memos = new Memos();
  const waiting = thrownBy(() => memos.of("one").waitFor(() => Promise.reject(new Error("gone"))));
  await expect(waiting.wait()).rejects.toThrow("gone");
  expect(memos.of("one").value).toBeUndefined();
});

function thrownBy(attempt: () => unknown): WaitFirst {
  try {
    attempt();
  } catch (error) {
    if (error instanceof WaitFirst) return error;
    throw error;
  }
  throw new Error("it did not wait");
}
