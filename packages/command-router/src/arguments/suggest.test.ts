import { expect, test } from "vitest";
import { didYouMean, suggest } from "./suggest.ts";

const commands = ["list", "move", "rename", "semantic-search"];

test.each([
  ["lst", "list"],
  ["mvoe", "move"],
  ["MOVE", "move"],
  ["sem", "semantic-search"],
  ["remane", "rename"],
  ["lsit", "list"],
])("%s was probably meant to be %s", (typed, meant) => {
  expect(suggest(typed, commands)).toBe(meant);
});

test.each(["", "x", "se", "delete", "évom", "x".repeat(100_000)])("nothing is close to %.20s", (typed) => {
  expect(suggest(typed, commands)).toBeUndefined();
});

test("the closest wins, and the first of two that are equally close", () => {
  expect(suggest("lisp", ["lint", "list"])).toBe("list");
  expect(suggest("lisx", ["lisa", "lisb"])).toBe("lisa");
});

test("a hint is left out if there is nothing to say", () => {
  expect(didYouMean("lst", commands)).toEqual({ hint: "Did you mean `list`?" });
  expect(didYouMean("zzz", commands)).toEqual({});
});
