import { globSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { expect, test } from "vitest";

const repository = resolve(import.meta.dirname, "..");
const files = globSync("{apps,packages,tools}/**/*.ts", { cwd: repository, exclude: ["**/node_modules/**"] });
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

/** `features/<noun>/commands` stands for that folder of every noun. */
function toPattern(folder: string): RegExp {
  const parts = folder.replace(/\/$/, "").split("/");
  return new RegExp(`^${parts.map((part) => (part.startsWith("<") ? "[^/]+" : part)).join("/")}$`);
}
