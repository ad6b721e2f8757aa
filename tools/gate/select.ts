import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findGuards, splitAtGuard } from "@svc/testing/guards";
import { type MeasureRun, measureRuns } from "../bench/run-all.ts";
import { type Base, changedSince, fileAt } from "./change.ts";
import { importsOf } from "./imports.ts";
import { placeTests } from "./place-tests.ts";

/** What the gate runs of the tests that belong to a place, and what it leaves to the nightly run. */
export interface Selection {
  /** Test files that the gate leaves out. */
  excluded: string[];
  /** For SVC_PLANTS: guards, migrations and tests whose plants are due. */
  plants: string[];
  runs: MeasureRun[];
  /** What is left out, and why; for people. */
  leftOut: string[];
}

/** Without a base everything runs. */
export function select(base: Base | undefined, changed = base ? changedSince(base.commit) : []): Selection {
  const selection: Selection = { excluded: [], plants: ["*"], runs: measureRuns(), leftOut: [] };
  if (base === undefined) return selection;

  for (const { name, tests, places } of placeTests) {
    const triggers = [...places, ...tests];
    if (changed.some((file) => triggers.some((place) => file.startsWith(place)))) continue;
    selection.excluded.push(...tests.flatMap((place) => testFilesBelow(place)));
    selection.leftOut.push(`${name}: nothing changed in ${places.join(", ")}`);
  }

  const isDue = ({ file }: MeasureRun) => !new Set(changed).isDisjointFrom(importsOf(file));
  const runs = selection.runs.filter(isDue);
  const left = selection.runs.length - runs.length;
  if (left > 0) selection.leftOut.push(`${left} benches and evaluations: nothing that they import changed`);
  selection.runs = runs;

  const tests = changed.filter((file) => file.endsWith(".test.ts"));
  const migrations = changed.filter((file) => file.startsWith("packages/database/migrations/"));
  selection.plants = [
    ...changedGuards(base, changed),
    ...migrations.map((file) => file.slice("packages/database/migrations/".length)),
    ...tests,
  ];
  selection.leftOut.push("plants, but those at a changed guard and the first of each changed test");
  return selection;
}

function testFilesBelow(place: string): string[] {
  return place.endsWith(".ts") ? [place] : globSync(`${place}**/*.test.ts`);
}

/** Guards whose statement is not what it was. */
function changedGuards(base: Base, changed: readonly string[]): string[] {
  const repository = join(import.meta.dirname, "../..");
  return [...findGuards(repository)]
    .filter(([name, files]) => files.some((file) => changed.includes(file) && isChanged(base, file, name)))
    .map(([name]) => name);
}

function isChanged({ commit }: Base, file: string, guard: string): boolean {
  const before = fileAt(commit, file);
  if (before === undefined || !before.includes(`// guard: ${guard}\n`)) return true;
  const [, was] = splitAtGuard(before, guard);
  const [, is] = splitAtGuard(readFileSync(file, "utf8"), guard);
  return was !== is;
}
