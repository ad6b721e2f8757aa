import { expect, test } from "vitest";
import { z } from "zod";
import { argumentSpecs } from "./argument-spec.ts";
import { unworded, wordIssue } from "./word-issue.ts";

/** As one value of an argument. */
function refused(schema: z.ZodType, value: unknown): string[] {
  const [spec] = argumentSpecs({ arguments: z.object({ it: schema }), positionals: [] });
  const { error } = schema.safeParse(value, { error: unworded });
  return error?.issues.map((issue) => wordIssue(issue, value, spec?.rules)) ?? [];
}

test.each<[z.ZodType, unknown, string]>([
  [z.int().min(1).max(200), "foo", "takes a number from 1 to 200, not `foo`"],
  [z.int().min(1).max(200), 0, "takes a number from 1 to 200, not `0`"],
  [z.int().min(1).max(200), 1.5, "takes a whole number from 1 to 200, not `1.5`"],
  [z.int().min(1).max(200), "5", "takes a number from 1 to 200, not the text `5`"],
  [z.int().min(1).max(200), "", "takes a number from 1 to 200, not an empty value"],
  [z.int().min(1), 0, "takes a number of at least 1, not `0`"],
  [z.int().max(5_000), 5_001, "takes a number of at most 5,000, not `5001`"],
  [z.int(), null, "takes a number, not `null`"],
  [z.number().gt(1), 1, "takes a number above 1, not `1`"],
  [z.number().gt(1).lt(9), 9, "takes a number above 1 and below 9, not `9`"],
  [z.number().multipleOf(5), 3, "takes a multiple of 5, not `3`"],
  [z.enum(["viewer", "editor", "owner"]), "x", "takes viewer, editor or owner, not `x`"],
  [z.literal("on"), "x", "takes on, not `x`"],
  [z.boolean(), "maybe", "takes true or false, not `maybe`"],
  [z.boolean(), "true", "takes true or false, not the text `true`"],
  [z.string(), 5, "takes text, not the number 5"],
  [z.string(), true, "takes text, not `true`"],
  [z.string(), ["a"], "takes text, not a list"],
  [z.string(), {}, "takes text, not an object"],
  [z.string().max(4_096), "x".repeat(5_000), "is too long: at most 4,096 characters, not 5,000"],
  [z.string().min(1), "", "must not be empty"],
  [z.string().min(3), "ab", "takes at least 3 characters, not 2"],
  [z.iso.date(), "soon", "takes a date such as 2026-03-05, not `soon`"],
  [z.iso.datetime(), "soon", "takes a time such as 2026-03-05T14:30:00Z, not `soon`"],
  [z.uuid(), "x", "takes a UUID, not `x`"],
  [z.email(), "x", "takes an e-mail address, not `x`"],
  [z.string().regex(/^a/), "b", "must be in another format, not `b`"],
  [z.string().regex(/^a/, "must be a word with a"), "b", "must be a word with a, not `b`"],
  [z.string().refine(() => false, "is not a network"), "b", "is not a network: `b`"],
  [z.string().refine(() => false), "b", "does not take `b`"],
  [z.string().meta({ secret: true }).max(3), 12345, "takes text"],
  [z.string().meta({ secret: true }).regex(/^a/), "hunter2", "must be in another format"],
  [
    z
      .string()
      .refine(() => false)
      .meta({ secret: true }),
    "hunter2",
    "does not take this value",
  ],
  [z.int().meta({ secret: true }).max(3), 12345, "takes a number of at most 3"],
])("%# says what a value must be, and what it was", (schema, value, message) => {
  expect(refused(schema, value)).toEqual([message]);
});

test("an issue of a kind that nobody knows yet gets our own words", () => {
  const issue = { code: "invented", message: "", path: [] } as unknown as z.core.$ZodIssue;
  expect(wordIssue(issue, "x", { type: "string" })).toBe("does not take `x`");
});

test("repeats only the beginning, and nothing that a terminal obeys", () => {
  expect(refused(z.int(), `\u001b[2J${"x".repeat(100)}`)).toEqual([
    `takes a number, not \`\\u{1b}[2J${"x".repeat(36)}…\``,
  ]);
});
