import { expect, test } from "vitest";
import { takeRenderingFlags } from "./rendering-flags.ts";

test("takes its own flags from anywhere in the line, and leaves the rest unchanged", () => {
  expect(
    takeRenderingFlags(["--format", "tsv", "a", "--x=1", "--fields=a, b.c", "-y", "--output=-", "--force"]),
  ).toEqual({
    argv: ["a", "--x=1", "-y"],
    format: "tsv",
    fields: ["a", "b.c"],
    output: "-",
    force: true,
  });
  expect(takeRenderingFlags(["a", "--formats", "x"])).toEqual({ argv: ["a", "--formats", "x"] });
});

test("a value may contain = and may look like a flag; nothing after -- is taken", () => {
  expect(takeRenderingFlags(["--output=a=b"])).toMatchObject({ output: "a=b" });
  expect(takeRenderingFlags(["x", "--", "--format", "json", "--force"])).toEqual({
    argv: ["x", "--", "--format", "json", "--force"],
  });
});

test.for([
  [["--format"], "--format needs json, table or tsv."],
  [["--fields="], "--fields needs field names separated by commas."],
  [["--format", "xml"], "--format cannot be `xml`."],
  [["--output", "a", "--output=b"], "--output is given twice."],
] as const)("%j is refused", ([typed, message]) => {
  expect(() => takeRenderingFlags(typed)).toThrow(message);
});
