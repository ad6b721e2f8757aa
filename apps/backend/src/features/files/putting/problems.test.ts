import { growth, mostGrowth } from "@svc/testing/growth";
import { expect, test } from "vitest";
import { byDepth, folderOf, foldersOf } from "./folders-of.ts";
import { Problems } from "./problems.ts";
import { selectEntries } from "./select-entries.ts";

interface Entry {
  names: readonly string[];
  size?: number;
}

const shapes: Record<string, (size: number) => Entry[]> = {
  "one path of many names": (size) => [{ names: Array<string>(size).fill("a"), size: 1 }],
  "many files in one folder": (size) =>
    Array.from({ length: size / 10 }, (_, index) => ({ names: ["a", `${index}`], size: 1 })),
  "folders, one in another, each with a line": (size) => {
    // As long as the longest that a manifest can have: a path is spelled out in every line.
    const names = Array<string>(64).fill("a");
    return Array.from({ length: size / 64 }, (_, index) => [
      ...names.map((_, depth) => ({ names: [`${index}`, ...names.slice(0, depth)] })),
    ]).flat();
  },
};

test.for(Object.entries(shapes))("the work of a check grows with the names: %s", ([, entriesOf]) => {
  const check = (size: number) => {
    const entries = entriesOf(size);
    const selected = selectEntries(entries, { exclude: ["node_modules"], badNames: "refuse" });
    new Problems().checkEntries([...selected.values()]);
    const top = foldersOf(entries.map(({ names, size }) => ({ names, isFolder: size === undefined })));
    const folders = [...byDepth(top, 1_000)].reduce((sum, some) => sum + some.length, 0);
    for (const entry of entries) folderOf(top, entry);
    return folders;
  };
  expect(growth(4_000, check)).toBeLessThan(mostGrowth);
});

test("folders come above those in them, at most so many at once", () => {
  const top = foldersOf([
    { names: ["a", "b", "x.txt"], isFolder: false },
    { names: ["c"], isFolder: true },
    { names: ["a", "d"], isFolder: true },
    { names: ["a"], isFolder: true },
  ]);
  const paths = (most: number) =>
    [...byDepth(top, most)].map((some) => some.map(({ names }) => names.join("/")));
  expect(paths(10)).toEqual([
    ["a", "c"],
    ["a/b", "a/d"],
  ]);
  expect(paths(1)).toEqual([["a"], ["c"], ["a/b"], ["a/d"]]);
});

test.each([
  [["é/x", "e\u0301/y"], ["é"]],
  [["a/é", "a/e\u0301"], ["a/é"]],
  [["a/x", "a/x"], ["a/x"]],
  [["a/x", "a/x/y"], ["a/x"]],
  [["a/x", "b/x"], []],
])("of %j, %j was sent twice", (paths, twice) => {
  const entries = paths.map((path) => ({ names: path.split("/"), size: 1 }));
  const check = () => new Problems().checkEntries(entries);
  if (twice.length === 0) expect(check).not.toThrow();
  else expect(check).toThrow(`${twice[0]} was sent twice`);
});
