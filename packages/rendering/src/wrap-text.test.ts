import { growth, mostGrowth } from "@svc/testing/growth";
import fc from "fast-check";
import { expect, test } from "vitest";
import { plainText } from "./styled-text.ts";
import { widthOf } from "./width.ts";
import { wrapText } from "./wrap-text.ts";

test("breaks between words, and continues below the beginning of the line", () => {
  expect(plainText(wrapText("  one two three four", 11))).toBe("  one two\n  three\n  four");
});

test("a style continues on the next line", () => {
  const runs = wrapText(["see ", ["cmd", "svc files list"], " now"], 9);
  expect(plainText(runs)).toBe("see svc\nfiles\nlist now");
  const styledText = runs.filter((run) => typeof run !== "string").map((run) => run[1]);
  expect(styledText).toEqual(["svc", "files", "list"]);
});

test("no line is wider, no word that fits is broken, and nothing is lost", () => {
  const word = fc.oneof(
    fc.stringMatching(/^[a-z]{1,30}$/),
    fc.constantFrom("急須の写真", "🚀", "café", "e\u0301te\u0301"),
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 30 }), fc.integer({ min: 8, max: 60 }), (words, columns) => {
      const lines = plainText(wrapText(words.join(" "), columns)).split("\n");
      for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(columns);
      expect(lines.join("").replaceAll(" ", "")).toBe(words.join(""));
      const whole = words.filter((each) => widthOf(each) <= columns);
      const shown = lines.flatMap((line) => line.split(" "));
      for (const each of whole) expect(shown).toContain(each);
    }),
    { numRuns: 300 },
  );
});

test.each([
  ["a long word of wide characters", "漢", 20],
  ["the same at 80 columns", "漢", 80],
  ["many short words in a very wide terminal", "é ", 10_000],
])("%s takes as long as reading it", (_what, unit, columns) => {
  // A width measured for each line anew would take minutes for a million.
  expect(growth(30_000, (size) => wrapText(unit.repeat(size), columns))).toBeLessThan(mostGrowth);
});
