import fc from "fast-check";
import { expect, test } from "vitest";
import { endOfRange } from "./prefix-range.ts";

test.each([
  ["a", "b"],
  ["rep", "req"],
  ["\ud7ff", "\ue000"],
  ["a\u{10ffff}", "b"],
  ["\u{10ffff}", undefined],
])("the range of %j ends before %j", (text, end) => expect(endOfRange(text)).toBe(end));

test("a range holds what begins with its text, and nothing else", () => {
  const text = fc.string({ unit: "binary", minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(text, text, fc.boolean(), (start, other, begins) => {
      const name = Buffer.from(begins ? start + other : other);
      const end = endOfRange(start);
      const isInRange =
        name.compare(Buffer.from(start)) >= 0 && (end === undefined || name.compare(Buffer.from(end)) < 0);
      expect(isInRange).toBe(name.toString().startsWith(start));
    }),
  );
});
