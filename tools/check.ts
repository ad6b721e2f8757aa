import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

/**
 * `npm run check` runs every `check:…` of package.json and the unit tests. `npm run check -- --changed` looks only at what you changed since
 * main: types, the changed files' style, and the tests that import them.
 */
const { values } = parseArgs({ options: { changed: { type: "boolean", default: false } } });
const steps = values.changed ? stepsForChange(changedFiles()) : everyStep();
const begun = performance.now();
for (const step of steps) {
  console.log(`::: ${step.join(" ")}`);
  const [command = "", ...args] = step;
  const { status } = spawnSync(command, args, { stdio: "inherit" });
  if (status !== 0) {
    console.error(`FAILED: ${step.join(" ")}`);
    process.exit(status ?? 1);
  }
}
console.log(`All checks passed in ${((performance.now() - begun) / 1_000).toFixed(0)} s.`);

function everyStep(): string[][] {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
  const checks = Object.keys(scripts).filter((script) => script.startsWith("check:"));
  return [...checks.map((check) => ["npm", "run", "--silent", check]), ["npm", "test", "--silent"]];
}

function stepsForChange(files: string[]): string[][] {
  if (files.length === 0) return [];
  const sources = files.filter((file) => file.endsWith(".ts"));
  const lint = ["biome", "check", "--error-on-warnings", "--no-errors-on-unmatched", ...files];
  if (sources.length === 0) return [lint];
  return [
    lint,
    ["npm", "run", "--silent", "check:types"],
    ["node", "tools/database.ts", "up"],
    ["vitest", "related", "--run", "--project=unit*", "--tagsFilter=!long", "--passWithNoTests", ...sources],
  ];
}

/** Since this branch left main, committed or not; on main itself: what is not committed. */
function changedFiles(): string[] {
  const base = git("merge-base", "main", "HEAD");
  const files = [
    git("diff", "--name-only", "--diff-filter=d", base),
    git("ls-files", "--others", "--exclude-standard"),
  ];
  return files.flatMap((names) => names.split("\n")).filter((name) => name !== "");
}

function git(...args: string[]): string {
  return execFileSync("git", args, { encoding: "utf8" }).trim();
}
