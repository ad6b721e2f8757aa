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
    { argument: "--on-conflict", message: "must be ask, replace or keep" },
    { argument: "--limit", message: "must be at least 1" },
  ]);
});

test("a choice that was not made is missing, not wrong", () => {
  expect(violations(fixture("files list"), {})).toEqual([{ argument: "--kind", message: "is required" }]);
});

test("an argument of the wrong type is wrong, not missing", () => {
  expect(violations(fixture("files list"), { kind: null })).toMatchObject([
    { argument: "--kind", message: "must be file or folder" },
  ]);
});

test("keeps the message of a rule of the whole command", () => {
  const command = asCommand({
    ...taking({}),
    arguments: z
      .strictObject({ from: z.string().optional(), to: z.string().optional() })
      .refine(({ from, to }) => from ?? to, { path: ["from"], message: "give this or --to" }),
  });
  expect(violations(command, {})).toEqual([{ argument: "--from", message: "give this or --to" }]);
});

test("unknown arguments are named, shortened and without what a terminal obeys", () => {
  const raw = { "\u001b[2J": 1, ["x".repeat(200)]: 1, constructor: 1 };
  expect(violations(fixture("whoami"), raw)).toEqual([
    { argument: "\\u{1b}[2J", message: "unknown argument" },
    { argument: `${"x".repeat(100)}…`, message: "unknown argument" },
    { argument: "constructor", message: "unknown argument" },
  ]);
});

test("a key that reaches for the prototype is an unknown argument", () => {
  expect(violations(fixture("whoami"), JSON.parse('{ "__proto__": { "admin": true } }'))).toEqual([
    { argument: "__proto__", message: "unknown argument" },
  ]);
  expect({}).not.toHaveProperty("admin");
});

test.each([[null], [undefined], [[]], ["files"], [5]])("%j is refused in place of arguments", (raw) => {
  expect(violations(move, raw)).toMatchObject([{ argument: "arguments" }]);
});

test("names twenty and counts the rest", () => {
  const raw = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`x${index}`, 1]));
  expect(violations(fixture("whoami"), raw)).toHaveLength(20);
  expect(() => parseArguments(fixture("whoami"), raw)).toThrow(/x19: unknown argument; and 5 more$/);
});

test("refuses text that takes seconds to normalise, before any rule looks at it", () => {
  expect(() => parseArguments(move, { target: `e${"\u0323\u0301".repeat(50_000)}`, source: ["a"] })).toThrow(
    "combining marks",
  );
});
