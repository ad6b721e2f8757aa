import { ProblemError } from "@svc/protocol/problem";
import { expect, test } from "vitest";
import { z } from "zod";
import { asCommand, fixture, taking } from "../../testing/fixture-catalog.ts";
import { parseArguments } from "./parse-arguments.ts";

const move = fixture("files move");

function violations(command: typeof move, raw: unknown) {
  try {
    parseArguments(command, raw);
  } catch (error) {
    if (error instanceof ProblemError) return error.violations;
    throw error;
  }
  throw new Error("nothing was refused");
}

test("fills in defaults", () => {
  expect(parseArguments(move, { target: "/to", source: ["a"] })).toEqual({
    target: "/to",
    source: ["a"],
    onConflict: "ask",
    force: false,
    notify: true,
  });
});

test("names each argument as people type it", () => {
  expect(violations(move, { source: [], limit: 0, onConflict: "maybe" })).toEqual([
    { argument: "<target>", message: "is required" },
    { argument: "<source>", message: "must not be empty" },
    { argument: "--on-conflict", message: "takes ask, replace or keep, not `maybe`" },
    { argument: "--limit", message: "takes a number from 1 to 100, not `0`" },
  ]);
});

test("a choice that was not made is missing, not wrong", () => {
  expect(violations(fixture("files list"), {})).toEqual([{ argument: "--kind", message: "is required" }]);
});

test("an argument of the wrong type is wrong, not missing", () => {
  expect(violations(fixture("files list"), { kind: null })).toMatchObject([
    { argument: "--kind", message: "takes file or folder, not `null`" },
  ]);
});

test("keeps the message of a rule of the whole command", () => {
  const command = asCommand({
    ...taking({}),
    arguments: z
      .strictObject({ from: z.string().optional(), to: z.string().optional() })
      .refine(({ from, to }) => from ?? to, { path: ["from"], message: "needs a value, or --to does" }),
  });
  expect(violations(command, {})).toEqual([{ argument: "--from", message: "needs a value, or --to does" }]);
});

test("unknown arguments are named, shortened and without what a terminal obeys", () => {
  const raw = { "\u001b[2J": 1, ["x".repeat(200)]: 1, constructor: 1 };
  expect(violations(fixture("whoami"), raw)).toEqual([
    { argument: "\\u{1b}[2J", message: "is not an argument of this command" },
    { argument: `${"x".repeat(100)}…`, message: "is not an argument of this command" },
    { argument: "constructor", message: "is not an argument of this command" },
  ]);
});

test("a key that reaches for the prototype is an unknown argument", () => {
  expect(violations(fixture("whoami"), JSON.parse('{ "__proto__": { "admin": true } }'))).toEqual([
    { argument: "__proto__", message: "is not an argument of this command" },
  ]);
  expect({}).not.toHaveProperty("admin");
});

test.each([[null], [undefined], [[]], ["files"], [5]])("%j is refused in place of arguments", (raw) => {
  expect(violations(move, raw)).toMatchObject([{ argument: "arguments" }]);
});

test("points at the word that gave the wrong value", () => {
  const words = new Map([
    ["target", [2]],
    ["source", [3, 4, 7]],
    ["limit", [6]],
  ]);
  const command = taking({ target: z.string(), source: z.array(z.string().min(1)), limit: z.int().max(5) });
  const raw = { target: "/to", source: ["a", "b", ""], limit: 9 };
  expect(() => parseArguments(command, raw, words)).toThrow(
    expect.objectContaining({
      violations: [
        { argument: "--source", message: "must not be empty", word: 7 },
        { argument: "--limit", message: "takes a number of at most 5, not `9`", word: 6 },
      ],
    }),
  );
});

test("says once what is wrong in two ways", () => {
  const command = taking({ code: z.string().min(3, "must be a code").regex(/^a/, "must be a code") });
  expect(violations(command, { code: "b" })).toEqual([
    { argument: "--code", message: "must be a code, not `b`" },
  ]);
});

test("names twenty and counts the rest", () => {
  const raw = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`x${index}`, 1]));
  expect(violations(fixture("whoami"), raw)).toHaveLength(20);
  expect(() => parseArguments(fixture("whoami"), raw)).toThrow(
    /`x19` is not an argument of this command\. And 5 more\.$/,
  );
});

test("refuses text that takes seconds to normalise, before any rule looks at it", () => {
  expect(() => parseArguments(move, { target: `e${"\u0323\u0301".repeat(50_000)}`, source: ["a"] })).toThrow(
    "combining marks",
  );
});
