import { expect, test } from "vitest";
import { joinLines, joinRuns } from "./styled-text.ts";

test("plain neighbours become one run, across lines too, and empty runs go", () => {
  expect(joinLines(["a", ["b", "c"], ["", ["cmd", "d"], ["cmd", ""], "e"], "", ["f"]])).toEqual([
    "a\nbc\n",
    ["cmd", "d"],
    "e\n\nf",
  ]);
  expect(joinRuns([["cmd", "a"], "", ["cmd", "b"], "c", "d"])).toEqual([["cmd", "a"], ["cmd", "b"], "cd"]);
});

test("an empty text has no runs", () => {
  expect([joinLines([]), joinLines([""]), joinRuns([["cmd", ""]])]).toEqual([[], [], []]);
});
