import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { missingFigures } from "../bench/missing-figures.ts";
import { barsText, figuresText, isPassed } from "../bench/report.ts";
import type { Evaluation } from "./evaluation.ts";

/** Runs the evaluation of a folder that the command line names, or lists them all. Bars decide the exit code. */
export async function runEvaluations(folder: string): Promise<void> {
  const names = readdirSync(folder).map((file) => basename(file, ".ts"));
  const [name, ...given] = process.argv.slice(2);
  if (name === undefined) {
    for (const each of names) console.log(`${each.padEnd(13)}${(await load(folder, each)).summary}`);
  } else if (names.includes(name)) {
    await run(await load(folder, name), given);
  } else {
    console.error(`There is no evaluation ${name}. There are: ${names.join(", ")}.`);
    process.exitCode = 2;
  }
}

async function load(folder: string, evaluation: string): Promise<Evaluation> {
  const module = (await import(join(folder, `${evaluation}.ts`))) as { default: Evaluation };
  return module.default;
}

async function run({ summary, run: measure }: Evaluation, given: string[]): Promise<void> {
  console.error(summary);
  execFileSync(process.execPath, [join(import.meta.dirname, "../database.ts"), "up"], {
    stdio: ["ignore", process.stderr, "inherit"],
  });
  const report = await measure(given);
  console.log(`${figuresText(report)}\n\n${barsText(report)}`);
  const missing = missingFigures(report);
  for (const sentence of missing) console.error(sentence);
  process.exitCode = missing.length === 0 && isPassed(report) ? 0 : 1;
}
