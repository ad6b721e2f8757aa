import { globSync } from "node:fs";
import { basename, dirname } from "node:path";
import { importsOf } from "./imports.ts";

export interface TestsForChange {
  /** Changed tests, and those that carry the name of a changed file beside them. */
  beside: string[];
  /** Those in the room of a changed file, and those that import one; the nearest first. */
  related: string[];
}

/** Commands are loaded by path at run time: only the names of files lead from one to its test. */
export function testsForChange(changed: readonly string[], tests = allTests()): TestsForChange {
  const isBeside = (test: string) =>
    changed.some(
      (file) => file === test || (dirname(file) === dirname(test) && nameOf(file) === nameOf(test)),
    );
  const beside = tests.filter(isBeside);
  const distances = new Map(tests.map((test) => [test, distanceTo(changed, test)]));
  const distanceOf = (test: string) => distances.get(test) ?? Number.POSITIVE_INFINITY;
  const related = tests
    .filter((test) => !beside.includes(test) && distanceOf(test) < Number.POSITIVE_INFINITY)
    .toSorted((a, b) => distanceOf(a) - distanceOf(b) || a.localeCompare(b));
  return { beside, related };
}

/** Real processes take too long here. */
function allTests(): string[] {
  return globSync("{apps,packages,tools}/**/*.test.ts", { exclude: ["**/node_modules/**"] })
    .filter((file) => !/\.e2e\.test\.ts$|-plants\.faults\.test\.ts$/.test(file))
    .toSorted();
}

/** `put` of put.ts, put.test.ts and put.faults.test.ts. */
function nameOf(file: string): string {
  return basename(file).split(".")[0] ?? "";
}

/** Over how many imports; a test in the folder of the file, or below it, is as near as one that imports it. */
function distanceTo(changed: readonly string[], test: string): number {
  const imports = importsOf(test);
  const distances = changed.map((file) =>
    file.endsWith(".ts") && test.startsWith(`${dirname(file)}/`)
      ? 1
      : (imports.get(file) ?? Number.POSITIVE_INFINITY),
  );
  return Math.min(...distances);
}
