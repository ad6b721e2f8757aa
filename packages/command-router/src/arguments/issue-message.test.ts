import { expect, test } from "vitest";
import { z } from "zod";
import { issueMessage } from "./issue-message.ts";

test.each<[z.ZodType, unknown, string]>([
  [z.int(), "abc", "must be a number"],
  [z.int(), 1.5, "must be a whole number"],
  [z.int().min(1), 0, "must be at least 1"],
  [z.int().max(100), 101, "must be at most 100"],
  [z.number().gt(1), 1, "must be more than 1"],
  [z.number().lt(1), 1, "must be less than 1"],
  [z.number().multipleOf(5), 3, "must be a multiple of 5"],
  [z.string(), 1, "must be text"],
  [z.string().min(1), "", "must not be empty"],
  [z.string().min(3), "ab", "must be at least 3 characters"],
  [z.string().max(3), "abcd", "must be at most 3 characters"],
  [z.array(z.string()).min(1), [], "must not be empty"],
  [z.array(z.string()).max(1), ["a", "b"], "must be at most 1 value"],
  [z.boolean(), "maybe", "must be true or false"],
  [z.enum(["ask", "replace", "keep"]), "x", "must be ask, replace or keep"],
  [z.literal("on"), "x", "must be on"],
  [z.iso.date(), "soon", "must be a date such as 2026-03-05"],
  [z.uuid(), "x", "must be a UUID"],
  [z.string().regex(/^a/), "b", "must be in another format"],
  [z.union([z.string(), z.number()]), true, "is not valid"],
  [z.object({}), null, "must be an object"],
])("%# says what a value must be", (schema, value, message) => {
  const { error } = schema.safeParse(value, { error: issueMessage });
  expect(error?.issues.map((issue) => issue.message)).toEqual([message]);
});

test("a rule with its own message keeps it", () => {
  const { error } = z.string().min(1, "needs a name").safeParse("", { error: issueMessage });
  expect(error?.issues[0]?.message).toBe("needs a name");
});
