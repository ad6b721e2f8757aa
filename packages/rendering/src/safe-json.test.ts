import fc from "fast-check";
import { expect, test } from "vitest";
import { forbiddenIn, hostileText } from "../testing/hostile-text.ts";
import { safeJson } from "./safe-json.ts";

test("escapes what JSON leaves raw and a terminal obeys or hides, and nothing else", () => {
  expect(safeJson("\u007f\u0085\u202e\u2028\u{e0041}", 0)).toBe(
    '"\\u007f\\u0085\\u202e\\u2028\\udb40\\udc41"',
  );
  expect(safeJson("日本 ❤️ ä", 0)).toBe('"日本 ❤️ ä"');
});

test("is equal to its input", () => {
  fc.assert(
    fc.property(fc.dictionary(hostileText, fc.oneof(hostileText, fc.jsonValue())), (value) => {
      const text = safeJson(value);
      expect(forbiddenIn(text)).toEqual([]);
      expect(JSON.stringify(JSON.parse(text))).toBe(JSON.stringify(value));
    }),
  );
});

test("nothing is null", () => {
  expect(safeJson(undefined)).toBe("null");
});
