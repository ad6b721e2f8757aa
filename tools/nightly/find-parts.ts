import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { findTaggedTests } from "./tagged-tests.ts";

/** What the nightly run does in one go, counts in one row, and does not repeat after it was cut off. */
export interface Part {
  /** `plants/rights` also belongs to `plants`. */
  name: string;
  size: string;
  /** The test files whose full size is this part's. */
  files: readonly string[];
  /** What Node runs: a program and its arguments. None for the quarantine, which is judged here. */
  command: readonly string[];
  environment?: Readonly<Record<string, string>>;
  /** The line that repeats it. Tests have one for each failure. */
  again: string;
}

export const vitest = "node_modules/vitest/vitest.mjs";

/** All parts of this tree, from its files: a new test, bench or evaluation is in one by itself. */
export function findParts(repository: string): Part[] {
  const textOf = (file: string) => readFileSync(join(repository, file), "utf8");
  const byPart = Map.groupBy(findTests(repository), (file) => partOf(file, textOf(file)));
  const { units = [], ...others } = Object.fromEntries(byPart);
  const tests = Object.entries(others)
    .map(([name, files]) => testPart(name, files))
    .toSorted(byName);
  const isOfPlants = ({ name }: Part) => name.startsWith("plants/");
  const named = (pattern: string) => find(repository, pattern).map((file) => basename(file, ".ts"));
  const benches = named("tools/benches/*/*.ts").filter((name) => name !== "soak");
  return [
    quarantine,
    shuffledUnits(units),
    ...tests.filter((part) => !isOfPlants(part)),
    ...tests.filter(isOfPlants),
    ...named("tools/agents/evaluations/*.ts").map((name) =>
      program(`agents-eval/${name}`, ["tools/agents-eval.ts", name], `npm run agents:eval -- ${name}`),
    ),
    ...named("tools/evaluations/*.ts").map((name) =>
      program(`evaluate/${name}`, ["tools/evaluate.ts", name], `npm run evaluate -- ${name}`),
    ),
    ...benches.map((name) => program(`bench/${name}`, ["tools/bench.ts", name], `npm run bench -- ${name}`)),
    ...otherWays,
  ];
}

export function findTests(repository: string): string[] {
  return find(repository, "{apps,packages,tools}/**/*.test.ts");
}

function find(repository: string, pattern: string): string[] {
  return globSync(pattern, { cwd: repository, exclude: ["**/node_modules/**"] }).toSorted();
}

/** Other ways to run them that documents name. The cell is last, because it stays up. */
const otherWays = [
  program(
    "evaluate/half-embedded",
    ["tools/evaluate.ts", "hybrid", "--embedded", "0.5"],
    "npm run evaluate -- hybrid --embedded 0.5",
  ),
  program("gate-finds", ["apps/backend/testing/plants/gate-finds.ts"], "npm run test:nightly -- gate-finds"),
  program("soak", ["tools/bench.ts", "soak"], "npm run soak"),
  program("ha/prove", ["tools/ha.ts", "prove"], "npm run ha:prove"),
  program("ha/soak", ["tools/bench.ts", "soak"], "BENCH_SERVER=cell npm run soak", { BENCH_SERVER: "cell" }),
];

const quarantine: Part = {
  name: "quarantine",
  size: "age of each",
  files: [],
  command: [],
  again: "npm run test:nightly -- quarantine",
};

/** The part that runs a test file at full size. */
export function partOf(file: string, content: string): string {
  if (file.endsWith("-plants.faults.test.ts")) return `plants/${basename(file, "-plants.faults.test.ts")}`;
  if (file.endsWith(".e2e.test.ts")) return "e2e";
  const isFull =
    file.endsWith(".faults.test.ts") || findTaggedTests(file, content, ["nightly", "quarantine"]).length > 0;
  return isFull ? roomOf(file) : "units";
}

/** `apps/backend/tests/agents` is `agents`; what is beside the code has the name of its floor. */
function roomOf(file: string): string {
  const [first = "", app, folder, subject = ""] = file.split("/");
  if (first !== "apps") return first;
  if (app === "cli") return "client";
  return folder === "tests" ? subject : "backend";
}

/** One file at a time: promises in milliseconds need a quiet machine, and who repeats a failure runs one file, too. */
function testPart(name: string, files: readonly string[]): Part {
  return {
    name,
    size: files.length === 1 ? "1 file" : `${files.length} files`,
    files,
    command: [vitest, "run", "--maxWorkers=1", ...files],
    again: `npm run test:nightly -- ${name}`,
  };
}

function shuffledUnits(files: readonly string[]): Part {
  return {
    name: "units",
    size: `${files.length} files, shuffled`,
    files,
    command: [
      ...[vitest, "run", "--project=tests", "--project=isolated", "--exclude=**/*.faults.test.ts"],
      // Those run in the part of their room.
      ...["--tagsFilter=!nightly && !quarantine", "--sequence.shuffle.files"],
    ],
    again: "npm run test:nightly -- units",
  };
}

function program(
  name: string,
  command: readonly string[],
  again: string,
  environment: Readonly<Record<string, string>> = {},
): Part {
  return { name, size: "full", files: [], command, environment, again };
}

function byName(one: Part, other: Part): number {
  return one.name < other.name ? -1 : 1;
}
