import { estimateTokens } from "@svc/unicode/estimate-tokens";
import { expect, test } from "vitest";
import { fitTokens } from "./fit-tokens.ts";

const others = { total: { value: 9, relation: "eq" }, tookMs: 3 };
const hits = Array.from({ length: 9 }, (_, index) => ({
  title: `Report ${index}`,
  text: "revenue ".repeat(20),
}));
const cursorAfter = (count: number) => `after${count}`;
const fit = (maxTokens: number, nextCursor?: string) =>
  fitTokens(
    { items: hits, ...(nextCursor === undefined ? {} : { nextCursor }) },
    { maxTokens, others, cursorAfter },
  );

test("a page that fits stays as it is", () => {
  expect(fit(100_000)).toEqual({ items: hits });
  expect(fit(100_000, "more")).toEqual({ items: hits, nextCursor: "more" });
});

test("for every budget: the first hits, whole, within it, as many as possible; the others counted and next", () => {
  let kept = 0;
  for (let maxTokens = 0; maxTokens < 1_500; maxTokens += 7) {
    const { items, nextCursor, leftOut = 0 } = fit(maxTokens);
    expect(items).toEqual(hits.slice(0, items.length));
    expect(leftOut).toBe(hits.length - items.length);
    if (items.length > 0) {
      expect(
        estimateTokens(JSON.stringify({ items, nextCursor, leftOut, ...others }, null, 2)),
      ).toBeLessThanOrEqual(maxTokens);
    }
    expect(nextCursor).toBe(leftOut > 0 && items.length > 0 ? `after${items.length}` : undefined);
    expect(items.length).toBeGreaterThanOrEqual(kept);
    expect(items.length - kept).toBeLessThanOrEqual(1);
    kept = items.length;
  }
  expect(kept).toBe(hits.length);
});

test("a long cursor counts, and so does what else is in the answer", () => {
  const long = "a1".repeat(2_000);
  expect(fit(1_500).items).toHaveLength(9);
  expect(fit(1_500, long).items.length).toBeLessThan(9);
  const facets = "revenue ".repeat(400);
  expect(
    fitTokens({ items: hits }, { maxTokens: 1_500, others: { facets }, cursorAfter }).items.length,
  ).toBeLessThan(9);
});
