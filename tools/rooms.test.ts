import { globSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, relative, resolve } from "node:path";
import { expect, test } from "vitest";

const repository = resolve(import.meta.dirname, "..");
const files = globSync("{apps,packages,tools}/**/*.ts", { cwd: repository, exclude: ["**/node_modules/**"] });
const floors = createRequire(import.meta.url)("../.floors.cjs") as Record<string, string[]>;
const byFolder = Map.groupBy(files, (file) => dirname(file));
const isTest = (file: string) => file.endsWith(".test.ts");

test("no folder holds more than 20 files beside its tests", () => {
  const crowded = byFolder
    .entries()
    .map(([folder, inIt]) => ({ folder, files: inIt.filter((file) => !isTest(file)).length }))
    .filter(({ files }) => files > 20);
  expect(crowded.toArray()).toEqual([]);
});

test("ARCHITECTURE.md says what every folder with more than five files is for", () => {
  const named = readFileSync(resolve(repository, "ARCHITECTURE.md"), "utf8")
    .matchAll(/^\| `([^`]+)` \|/gm)
    .map(([, folder = ""]) => toPattern(folder))
    .toArray();
  const unnamed = byFolder
    .entries()
    .filter(([folder, inIt]) => inIt.length > 5 && !named.some((pattern) => pattern.test(folder)))
    .map(([folder]) => folder);
  expect(unnamed.toArray().sort()).toEqual([]);
});

test.for(Object.entries(floors))("every room of %s is on one floor", ([folder, rooms]) => {
  const below = files.filter((file) => file.startsWith(`${folder}/`)).map((file) => relative(folder, file));
  const found = new Set(
    below.filter((file) => file.includes("/")).map((file) => dirname(file).split("/")[0]),
  );
  if (folder.startsWith("apps/backend/src/features/")) {
    // They are loaded by path, and nobody imports them.
    for (const loaded of ["commands", "jobs", "turns"]) found.delete(loaded);
  }
  expect([...rooms].sort()).toEqual([...found].sort());
});

/** `features/<noun>/commands` stands for that folder of every noun. */
function toPattern(folder: string): RegExp {
  const parts = folder.replace(/\/$/, "").split("/");
  return new RegExp(`^${parts.map((part) => (part.startsWith("<") ? "[^/]+" : part)).join("/")}$`);
}
