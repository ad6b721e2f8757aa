import { expect, test } from "vitest";
import { sentences } from "./usage-error.ts";

test.each([
  ["--limit", "takes a number, not `x`", "--limit takes a number, not `x`."],
  ["<path>", "is required", "<path> is required."],
  [
    "--set born",
    "is not a date; use the form 2026-03-31",
    "--set born is not a date; use the form 2026-03-31.",
  ],
  ["filters.owner", "takes text, not the number 5", "`filters.owner` takes text, not the number 5."],
  ["--sort", "`x`: there is no such field", "--sort: `x`: there is no such field."],
  ["--title", "only a text field can be the title", "--title: only a text field can be the title."],
  ["--x", "is wrong. Did you mean `--y`?", "--x is wrong. Did you mean `--y`?"],
  ["--x", "issues a clause", "--x: issues a clause."],
])("%s, %s", (argument, message, sentence) => {
  expect(sentences([{ argument, message }])).toBe(sentence);
});

test("joins them", () => {
  const violations = Array.from({ length: 22 }, (_, index) => ({
    argument: `--a${index}`,
    message: "is required",
  }));
  expect(sentences(violations.slice(0, 2))).toBe("--a0 is required. --a1 is required.");
  expect(sentences(violations)).toMatch(/--a19 is required\. And 2 more\.$/);
});
