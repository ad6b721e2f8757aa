import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { basename, join } from "node:path";
import { type Bench, isPassed, toJson, toText } from "./bench/report.ts";

/** `npm run bench` lists the benches, `npm run bench -- NAME` runs one; its last line is for machines. */
const folder = join(import.meta.dirname, "benches");
const names = readdirSync(folder)
  .filter((file) => file.endsWith(".ts"))
  .map((file) => basename(file, ".ts"));
const name = process.argv[2];

if (name === undefined) {
  for (const each of names) console.log(`${each.padEnd(10)}${(await load(each)).summary}`);
} else if (names.includes(name)) {
  await run(name);
} else {
  console.error(`There is no bench ${name}. There are: ${names.join(", ")}.`);
  process.exitCode = 2;
}

async function load(bench: string): Promise<Bench> {
  const module = (await import(join(folder, `${bench}.ts`))) as { default: Bench };
  return module.default;
}

async function run(bench: string): Promise<void> {
  const { summary, run: measure } = await load(bench);
  console.error(summary);
  // Its words go where progress goes, so that the output is the report and nothing else.
  execFileSync(process.execPath, [join(import.meta.dirname, "database.ts"), "up"], {
    stdio: ["ignore", process.stderr, "inherit"],
  });
  warnIfBusy();
  const report = await measure();
  console.log(toText(report));
  console.log(toJson(bench, report));
  process.exitCode = isPassed(report) ? 0 : 1;
}

function warnIfBusy(): void {
  const [load = 0] = loadavg();
  if (load < availableParallelism() / 2) return;
  console.error(`This machine is busy (load ${load.toFixed(1)}): figures will be low, ratios will scatter.`);
}
