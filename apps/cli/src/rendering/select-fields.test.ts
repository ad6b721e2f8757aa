import type { Failure } from "@svc/machine/failure";
import { expect, test } from "vitest";
import { selectFields } from "./select-fields.ts";

const rows = [
  { a: 1, b: { c: 2, d: { e: null } } },
  { a: 3, b: null, "x.y": 4 },
];

test("takes fields and nested fields, in the requested order", () => {
  expect(selectFields(rows, ["b.c", "a"])).toEqual([
    { "b.c": 2, a: 1 },
    { "b.c": undefined, a: 3 },
  ]);
  expect(selectFields(rows, ["b.d.e", "x.y"])).toEqual([
    { "b.d.e": null, "x.y": undefined },
    { "b.d.e": undefined, "x.y": 4 },
  ]);
});

test("a field that no row has is an error, which lists the known ones", () => {
  const ask = () => selectFields(rows, ["a", "nam", "b.x"]);
  expect(ask).toThrow("There is no field `nam`, `b.x` in the result.");
  expect(hintOf(ask)).toBe("There are: a, b, b.c, b.d, b.d.e, x.y");
});

test.for(["__proto__", "constructor", "toString", "b.constructor"])(
  "%s is not a field that every object has",
  (field) => {
    expect(() => selectFields(rows, [field])).toThrow("There is no field");
  },
);

test("an empty list has no fields, and refuses none", () => {
  expect(selectFields([], ["anything"])).toEqual([]);
});

function hintOf(work: () => unknown): string | undefined {
  try {
    work();
  } catch (error) {
    return (error as Failure).hint;
  }
  return undefined;
}
