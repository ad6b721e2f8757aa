import { describe, expect, test } from "vitest";
import { z } from "zod";
import { asCommand, fixture, taking } from "../../testing/fixture-catalog.ts";
import { naming } from "../arguments/value-kind.ts";
import { correctArguments } from "./correct-arguments.ts";

const shape = {
  target: z.string().min(1).meta(naming("path")),
  maxTokens: z.int().min(1).max(100).optional(),
  role: z.enum(["viewer", "editor", "FILE"]).optional(),
  set: z.array(z.string()).optional().describe("A value, as field=value"),
  label: z.array(z.string()).optional().describe("Put on each"),
  deep: z.boolean().optional(),
};
const write = taking(shape, ["target"]);
const read = asCommand({ ...fixture("whoami"), arguments: z.strictObject(shape), positionals: ["target"] });
const corrected = (given: unknown, command = read) => correctArguments(command, given)?.arguments;

describe("names", () => {
  test.each([
    ["written differently", { target: "a", max_tokens: 3 }, { target: "a", maxTokens: 3 }],
    ["misspelled", { traget: "a" }, { target: "a" }],
    ["called something else", { path: "a" }, { target: "a" }],
    ["called something else, with a word behind", { fileId: "a" }, { target: "a" }],
    ["the only one too many for the only one too few", { zzz: "a" }, { target: "a" }],
  ])("%s", (_what, given, meant) => {
    expect(corrected(given)).toEqual(meant);
    expect(corrected(given, write)).toEqual(meant);
  });

  test("a workspace among them belongs beside them, unless it is an argument", () => {
    expect(correctArguments(read, { target: "a", workspaceId: "desk" })).toMatchObject({ workspace: "desk" });
    const own = taking({ workspaceId: z.string() });
    expect(correctArguments(own, { workspace_id: "desk" })).toEqual({
      arguments: { workspaceId: "desk" },
      workspace: undefined,
      missing: [],
    });
  });
});

describe("values", () => {
  test.each([
    ["a number as text", { maxTokens: "7" }, { maxTokens: 7 }],
    ["a boolean as text", { deep: "yes" }, { deep: true }],
    ["a number for a text", { target: 2026 }, { target: "2026" }],
    ["one of a list", { target: ["a"] }, { target: "a" }],
    ["a text for a list", { label: "x" }, { label: ["x"] }],
    ["a list as text", { label: '["x","y"]' }, { label: ["x", "y"] }],
    ["an object for pairs", { set: { name: "Ken", age: 3 } }, { set: ["name=Ken", "age=3"] }],
    ["a choice in other letters", { role: "file" }, { role: "FILE" }],
    ["a misspelled choice", { role: "edtior" }, { role: "editor" }],
    ["a choice by another word", { role: "reader" }, { role: "viewer" }],
  ])("%s", (_what, given, meant) => {
    expect(corrected({ target: "a", ...given })).toEqual({ target: "a", ...meant });
    expect(corrected({ target: "a", ...given }, write)).toEqual({ target: "a", ...meant });
  });

  test("a number beyond its bounds is the bound, of a command that reads", () => {
    expect(corrected({ target: "a", maxTokens: 5_000 })).toEqual({ target: "a", maxTokens: 100 });
    expect(corrected({ target: "a", maxTokens: 0 })).toEqual({ target: "a", maxTokens: 1 });
    expect(corrected({ target: "a", maxTokens: 5_000 }, write)).toBeUndefined();
  });

  test.each([
    [{ target: ["a", "b"] }],
    [{ target: { path: "a" } }],
    [{ target: null }],
    ["not an object"],
    [["a"]],
    [Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`a${index}`, 1]))],
  ])("%j has no clear meaning", (given) => expect(corrected(given)).toBeUndefined());
});

test("a read does without what it does not have, and a change never does", () => {
  for (const more of [{ zzz: 1 }, { role: "owner" }, { maxTokens: null }, { onlyIfEmpty: true }]) {
    expect(corrected({ target: "a", ...more })).toEqual({ target: "a" });
    expect(corrected({ target: "a", ...more }, write)).toBeUndefined();
  }
});

test("a wish for a preview or for another form of the answer is not taken for an argument", () => {
  const more = { dry_run: true, confirm: true, verbose: true };
  expect(corrected({ target: "a", ...more }, write)).toEqual({ target: "a" });
});

test("a change does without what asks for more than it does, but not without its denial", () => {
  for (const more of [{ recursive: true }, { force: true, yes: true }]) {
    expect(corrected({ target: "a", ...more }, write)).toEqual({ target: "a" });
  }
  for (const less of [{ recursive: false }, { force: "no" }]) {
    expect(corrected({ target: "a", ...less }, write)).toBeUndefined();
  }
});

test("what is missing is named", () => {
  expect(correctArguments(read, { deep: true })?.missing.map(({ name }) => name)).toEqual(["target"]);
});
