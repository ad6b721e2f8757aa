import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { changedSince, mergeBase } from "./gate/change.ts";
import { runTestsUntil } from "./gate/run-tests-until.ts";
import { runSteps, type Step } from "./gate/step.ts";
import { testsForChange } from "./gate/tests-for-change.ts";

/**
 * `npm run check` runs every `check:…` of package.json and `npm test`. `npm run check -- --changed` looks only at what you
 * changed since main, committed or not, for a minute: style, types, the tests beside it, then tests that import it.
 */
const changeSeconds = 60;
/** Nearly every test imports the base of all features: those farther away belong to the gate. */
const relatedAtMost = 30;

const { values } = parseArgs({ options: { changed: { type: "boolean", default: false } } });
const begun = performance.now();
const seconds = () => ((performance.now() - begun) / 1_000).toFixed(0);
const isPassed = values.changed ? await checkChange() : await checkAll();
console.log(isPassed ? `All checks passed in ${seconds()} s.` : `Checks failed after ${seconds()} s.`);
process.exitCode = isPassed ? 0 : 1;

async function checkAll(): Promise<boolean> {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
  const checks = Object.keys(scripts).filter((script) => script.startsWith("check:"));
  return await pass([...checks, "test"].map((name) => ({ name, command: ["npm", "run", "--silent", name] })));
}

async function checkChange(): Promise<boolean> {
  const changed = changedSince(mergeBase("main") ?? "HEAD");
  if (changed.length === 0) {
    console.log("Nothing has changed since main.");
    return true;
  }
  const style = ["biome", "check", "--error-on-warnings", "--no-errors-on-unmatched", ...changed] as const;
  const { beside, related } = testsForChange(changed);
  const [isStyled, tests] = await Promise.all([
    pass([
      { name: "lint", command: style },
      { name: "types", command: ["npm", "run", "--silent", "check:types"] },
    ]),
    runTestsUntil([...beside, ...related.slice(0, relatedAtMost)], begun + changeSeconds * 1_000),
  ]);
  const left = beside.length + related.length - tests.ended;
  console.log(
    `${tests.ended} test files ran${left === 0 ? "" : `, ${left} that import the change are left to the gate`}.`,
  );
  return isStyled && tests.isPassed;
}

async function pass(steps: readonly Step[]): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), "svc-check-"));
  const ended = await runSteps(steps, 2, folder);
  rmSync(folder, { recursive: true });
  return ended.every(({ isPassed }) => isPassed);
}
