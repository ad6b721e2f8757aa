import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { findBase } from "./change.ts";
import { countTests } from "./count-tests.ts";
import { gateFolder, readTimes, slowestFiles, timesOfGate } from "./file-times.ts";
import { ownSeconds, postgresSeconds } from "./processor-time.ts";
import { select } from "./select.ts";
import { type EndedStep, runSteps, type Step } from "./step.ts";

/**
 * `.ci/run` after the installation: checks, tests and what belongs to a changed place, two steps at a time. Closes with
 * where the time went, what was left out, what failed, and the count: those who run this may keep only the end.
 */
const folder = gateFolder;
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const times = timesOfGate;
// What .ci/run measured of the installation, in seconds.
const { values } = parseArgs({
  options: { "installed-in": { type: "string", default: "0" }, processor: { type: "string", default: "0" } },
});
const installed = { seconds: Number(values["installed-in"]), processor: Number(values.processor) };
const begun = performance.now();
const postgresBefore = postgresSeconds();

const base = findBase({ given: process.env.SVC_BASE });
const { excluded, plants, runs, leftOut } = select(base);
const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
const script = (name: string, ...args: string[]): Step["command"] => [
  "npm",
  "run",
  "--silent",
  name,
  "--",
  ...args,
];

const tests = (name: string, ...args: string[]): Step => ({
  name: name.replace("test:", ""),
  command: script(
    name,
    ...excluded.map((file) => `--exclude=${file}`),
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${join(folder, `${name.replace("test:", "")}.json`)}`,
    "--reporter=./tools/gate/times-reporter.ts",
    ...args,
  ),
  env: { SVC_TIMES: times },
});
const checks = Object.keys(scripts).filter((name) => name.startsWith("check:"));

const steps: Step[] = [
  // The longest first: the others fit beside it.
  tests("test:gate"),
  ...checks.map((name) => ({ name: name.slice("check:".length), command: script(name) })),
  tests("test:e2e"),
  { ...tests("test:plants"), env: { SVC_PLANTS: plants.join(","), SVC_TIMES: times } },
  ...(runs.length === 0
    ? []
    : [
        {
          name: "benches",
          command: script("bench", "all", ...runs.map(({ name }) => name)),
          env: { BENCH_SIZE: "smoke" },
        },
      ]),
];
const ended = await runSteps(steps, 2, folder);

console.log(`\n${stepTable(ended)}\n`);
console.log(slowestFiles(readTimes(times)));
console.log(
  `\nCompared with ${base ? `${base.commit.slice(0, 8)}, ${base.name}` : "nothing: everything ran"}. Left to the nightly run:`,
);
for (const line of leftOut) console.log(`  ${line}`);
const own = installed.processor + ownSeconds();
const postgres = postgresSeconds() - postgresBefore;
const minutes = (seconds: number) => `${(seconds / 60).toFixed(1)} min`;
console.log(
  `\n${minutes(installed.seconds + (performance.now() - begun) / 1_000)} by the clock and ${minutes(own + postgres)} of processor time ` +
    `(${minutes(postgres)} in PostgreSQL), with the installation (${minutes(installed.seconds)} and ${minutes(installed.processor)}).`,
);
const failedSteps = ended.filter(({ isPassed }) => !isPassed);
for (const { name } of failedSteps) console.log(`FAILED ${name}`);
const counted = countTests(["gate", "e2e", "plants"].map((name) => join(folder, `${name}.json`)));
for (const failure of counted.failures) console.log(failure);
const passed = ended.length - failedSteps.length + counted.passed;
const failed = failedSteps.length + counted.failures.length;
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

function stepTable(steps: readonly EndedStep[]): string {
  const rows = steps.toSorted((a, b) => b.seconds - a.seconds);
  return [
    "seconds  step",
    ...rows.map(({ seconds, name }) => `${seconds.toFixed(0).padStart(7)}  ${name}`),
  ].join("\n");
}
