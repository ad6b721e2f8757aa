import { expect, test } from "vitest";
import { hasStackedMarks, withoutStackedMarks } from "./stacked-marks.ts";

const marked = (marks: number) => `a${"\u0301".repeat(marks)}b`;

test("30 marks on a letter are kept", () => {
  expect(hasStackedMarks(marked(30))).toBe(false);
  expect(withoutStackedMarks(marked(30))).toBe(marked(30));
});

test("more than 30 are too many, and can be cut", () => {
  expect(hasStackedMarks(marked(31))).toBe(true);
  expect(withoutStackedMarks(marked(10_000))).toBe(marked(30));
});
