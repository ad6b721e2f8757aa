import fc from "fast-check";
import { expect, test } from "vitest";
import { isStorable, repairName } from "../tree/path.ts";
import { matches, selectEntries } from "./select-entries.ts";

const entries = ["a.txt", "node_modules/x.js", "deep/node_modules/y.js", "deep/b.tmp", "deep/c.txt"].map(
  (path) => ({ names: path.split("/") }),
);
const refuse = { badNames: "refuse" as const };

test.for<[string[], number[]]>([
  [[], [0, 1, 2, 3, 4]],
  [["node_modules"], [0, 3, 4]],
  [
    ["*.tmp", "a.*"],
    [1, 2, 4],
  ],
  [["deep/node_modules"], [0, 1, 3, 4]],
  [["/deep/"], [0, 1]],
  [["deep/?.t*"], [0, 1, 2]],
  [["*"], []],
])("without %j", ([exclude, left]) => {
  expect([...selectEntries(entries, { exclude, ...refuse }).keys()]).toEqual(left);
});

test("bad names are left out or repaired, folders too", () => {
  const bad = [{ names: ["good.txt"] }, { names: ["con", "a.txt"] }, { names: ["a\\b. "] }];
  const select = (badNames: "skip" | "rename") => [...selectEntries(bad, { exclude: [], badNames })];
  expect(select("skip")).toEqual([[0, { names: ["good.txt"] }]]);
  expect(select("rename").map(([, { names }]) => names)).toEqual([["good.txt"], ["_con", "a.txt"], ["a_b"]]);
});

test("every repaired name can be stored, and good ones stay", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: "binary", minLength: 1, maxLength: 400 }),
        fc.string({ unit: fc.constantFrom("\u0301", "a", ".", " ", "\\"), minLength: 1, maxLength: 300 }),
      ),
      (name) => {
        const repaired = repairName(name);
        expect(isStorable(repaired)).toBe(true);
        if (isStorable(name)) expect(repaired).toBe(name.normalize("NFC"));
      },
    ),
  );
});

test("a pattern takes as long as it looks", () => {
  expect(matches("a".repeat(20_000), `${"a*".repeat(100)}b`)).toBe(false);
  expect(matches("", "**")).toBe(true);
  expect(matches("a*b", "a*b")).toBe(true);
});
