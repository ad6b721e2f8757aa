import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { runSeed } from "@svc/testing/run-seed";
import { Dice } from "../dice.ts";
import { allPlants } from "./all-plants.ts";
import type { Plant } from "./plant.ts";
import { fileOf, linkModules, plantInCopy, repository } from "./plant-copy.ts";

/**
 * Which planted mistakes a layer of tests finds alone: plants some, drawn by SVC_SEED, each in a clone of HEAD, and runs
 * `npm run test:gate -- --bail=1` there. First without a mistake: that must pass. Each result is a line of a file, so that a
 * run that was cut off goes on: `node apps/backend/testing/plants/gate-finds.ts [--count 30] [--within MINUTES]`.
 * With `--by changed` the clone runs `npm run check -- --changed`, and no two mistakes are in one room.
 */
const { values } = parseArgs({
  options: {
    by: { type: "string", default: "gate" },
    count: { type: "string", default: "30" },
    within: { type: "string", default: "10000" },
  },
});
const isByChange = values.by === "changed";
const command = isByChange ? ["check", "--", "--changed"] : ["test:gate", "--", "--bail=1"];
const results = join(repository, ".dev/gate-finds.tsv");
const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], {
  cwd: repository,
  encoding: "utf8",
}).trim();
const seed = runSeed();
const shuffled = new Dice(seed).shuffle(await allPlants());
const candidates = isByChange ? firstOfEachRoom(shuffled) : shuffled;
const drawn = candidates.slice(0, Number(values.count));
const deadline = Date.now() + Number(values.within) * 60_000;

// A check of nothing says nothing.
for (const plant of [...(isByChange ? [] : [undefined]), ...drawn]) {
  if (resultOf(plant) !== undefined) continue;
  if (Date.now() > deadline) break;
  const { result, seconds, by } = await runGate(plant);
  mkdirSync(join(repository, ".dev"), { recursive: true });
  appendFileSync(results, `${[commit, seed, values.by, nameOf(plant), result, seconds, by].join("\t")}\n`);
  print(`${result.padEnd(8)} ${String(seconds).padStart(4)} s  ${nameOf(plant)}  ${by}`);
}
const all = drawn.map(resultOf);
const missed = drawn.filter((plant) => resultOf(plant) === "passed").map(nameOf);
const found = all.filter((result) => result === "failed").length;
print(`${found} of ${all.filter((result) => result !== undefined).length} found (of ${drawn.length} drawn)`);
for (const name of missed) print(`missed: ${name}`);
// Nine of ten: the others need the full size of the test that owns them.
process.exitCode = (isByChange || resultOf(undefined) === "passed") && found >= 0.9 * drawn.length ? 0 : 1;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function firstOfEachRoom(plants: readonly Plant[]): Plant[] {
  const byRoom = Map.groupBy(plants, (plant) => dirname(fileOf(plant)));
  return [...byRoom.values()].flatMap(([first]) => first ?? []);
}

function nameOf(plant: Plant | undefined): string {
  if (plant === undefined) return "(no mistake)";
  return `${"guard" in plant ? plant.guard : plant.migration}: ${plant.mistake}`;
}

function resultOf(plant: Plant | undefined): string | undefined {
  if (!existsSync(results)) return undefined;
  const lines = readFileSync(results, "utf8").trim().split("\n");
  const fields = lines.map((line) => line.split("\t"));
  const wanted = [commit, String(seed), values.by, nameOf(plant)];
  return fields.find((line) => wanted.every((field, index) => line[index] === field))?.[4];
}

async function runGate(plant: Plant | undefined): Promise<{ result: string; seconds: number; by: string }> {
  const parent = mkdtempSync(join(tmpdir(), "svc-gate-plant-"));
  const folder = join(parent, "svc");
  try {
    execFileSync("git", ["clone", "--quiet", repository, folder]);
    await linkModules(folder);
    if (plant) await plantInCopy(folder, plant);
    const begun = performance.now();
    const { status, stdout } = spawnSync("npm", ["run", "--silent", ...command], {
      cwd: folder,
      encoding: "utf8",
      maxBuffer: 256 * 2 ** 20,
      env: { ...process.env, NO_COLOR: "1", SVC_FAULTS: undefined, SVC_SEED: undefined },
    });
    const seconds = Math.round((performance.now() - begun) / 1_000);
    const by = /(?: FAIL +|^FAILED )(.*)/m.exec(stdout)?.[1] ?? "";
    return { result: status === 0 ? "passed" : "failed", seconds, by };
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}
