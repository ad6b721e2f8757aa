import { expect, test } from "vitest";
import { z } from "zod";
import { taking } from "../../testing/fixture-catalog.ts";

const short = (letter: string) => z.string().meta({ short: letter });
const text = z.string();

test.each<[string, z.ZodRawShape, string[], string]>([
  [
    "the name of a reserved flag",
    { dryRun: z.boolean() },
    [],
    "argument dryRun: every command has --dry-run",
  ],
  ["another reserved flag", { workspace: text }, [], "argument workspace: every command has --workspace"],
  ["two names typed alike", { someThing: text, "some-thing": text }, [], "--some-thing is taken"],
  ["two of one short name", { one: short("x"), two: short("x") }, [], "argument two: -x is taken"],
  ["the short name of help", { host: short("h") }, [], "argument host: -h is taken"],
  ["a short name of two letters", { one: short("xy") }, [], 'a short name is one letter, not "xy"'],
  ["a digit, which would be a negative number", { one: short("1") }, [], 'is one letter, not "1"'],
  [
    "repetition of two positionals",
    { a: z.array(text), b: text, c: z.array(text) },
    ["a", "b", "c"],
    "argument c: only one positional",
  ],
  [
    "a required positional behind an optional one",
    { a: text.optional(), b: text },
    ["a", "b"],
    "cannot follow",
  ],
])("refuses %s", (_, shape, positionals, message) => {
  expect(() => taking(shape, positionals)).toThrow(message);
});

test("accepts arguments that can be told apart", () => {
  const shape = { a: text, b: z.array(text).optional(), dry: short("d"), helper: short("H") };
  expect(taking(shape, ["a", "b"]).specs).toHaveLength(4);
});
