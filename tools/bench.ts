import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { currentSize } from "./bench/bench-size.ts";
import { missingFigures } from "./bench/missing-figures.ts";
import { type Bench, barsText, figuresText, isPassed } from "./bench/report.ts";
import { measureRuns, runAll } from "./bench/run-all.ts";

/**
 * `npm run bench` lists the benches, `npm run bench -- NAME` runs one; its last line is for machines.
 * `npm run bench -- all` runs every bench and every evaluation, `npm run bench -- all NAME…` these. See docs/guides/measure.md.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { benches: { type: "string", default: join(import.meta.dirname, "benches") } },
});
const benches = new Map(
  readdirSync(values.benches, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => [basename(file, ".ts"), resolve(values.benches, file)]),
);
const names = [...benches.keys()].toSorted();
const [name] = positionals;

if (name === undefined) {
  for (const each of names) console.log(`${each.padEnd(14)}${(await load(each)).summary}`);
} else if (name === "all") {
  const wanted = positionals.slice(1);
  const runs = measureRuns().filter((run) => wanted.length === 0 || wanted.includes(run.name));
  process.exitCode = (await runAll(runs)) ? 0 : 1;
} else if (names.includes(name)) {
  await run(name);
} else {
  console.error(`There is no bench ${name}. There are: ${names.join(", ")}.`);
  process.exitCode = 2;
}

async function load(bench: string): Promise<Bench> {
  const module = (await import(benches.get(bench) ?? "")) as { default: Bench };
  return module.default;
}

async function run(bench: string): Promise<void> {
  const { summary, run: measure } = await load(bench);
  console.error(summary);
  // Its messages go to standard error, so that the output is the report and nothing else.
  execFileSync(process.execPath, [join(import.meta.dirname, "database.ts"), "up"], {
    stdio: ["ignore", process.stderr, "inherit"],
  });
  warnIfBusy();
  const report = await measure();
  console.log(figuresText(report));
  const missing = missingFigures(report);
  for (const sentence of missing) console.error(sentence);
  const isJudged = currentSize === "full";
  console.log(`\n${isJudged ? barsText(report) : "smoke: bars not judged"}`);
  const ok = missing.length === 0 && (!isJudged || isPassed(report));
  console.log(JSON.stringify({ bench, size: currentSize, ...(isJudged ? { bars: report.bars } : {}), ok }));
  process.exitCode = ok ? 0 : 1;
}

function warnIfBusy(): void {
  const [load = 0] = loadavg();
  if (load < availableParallelism() / 2) return;
  console.error(`This machine is busy (load ${load.toFixed(1)}): figures will be low, ratios will scatter.`);
}
