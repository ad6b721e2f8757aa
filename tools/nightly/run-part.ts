import { spawn } from "node:child_process";
import {
  appendFileSync,
  closeSync,
  createReadStream,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { join, relative } from "node:path";
import { createInterface } from "node:readline";
import { endMarked, nightMark } from "./end-marked.ts";
import { type Part, vitest } from "./find-parts.ts";

export interface Circumstances {
  repository: string;
  /** For the output of each part. */
  folder: string;
  night: string;
  seed: string;
  limitMillis: number;
}

export interface Outcome {
  passed: number;
  failed: number;
  /** The line that repeats it, for each failure. */
  failures: readonly string[];
  /** What the part printed for machines. */
  figures: readonly object[];
}

interface Report {
  numPassedTests: number;
  testResults: {
    name: string;
    status: string;
    assertionResults: { ancestorTitles: string[]; title: string; status: string }[];
  }[];
}

/** Its output is in a file, so that the run shows one line for each part. */
export async function runPart(part: Part, circumstances: Circumstances): Promise<Outcome> {
  const { repository, seed } = circumstances;
  const output = outputOf(part, circumstances);
  const report = `${output}.json`;
  rmSync(report, { force: true });
  const isTests = part.command[0] === vitest;
  const reporters = ["--no-color", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const words = isTests ? [...part.command, `--sequence.seed=${seed}`, ...reporters] : part.command;
  const isDone = await run(words, part, output, circumstances);
  const { passed, failures } = existsSync(report)
    ? countTests(JSON.parse(readFileSync(report, "utf8")) as Report, repository, seed)
    : { passed: isDone ? 1 : 0, failures: [] };
  if (!isDone && failures.length === 0)
    failures.push(isTests ? `SVC_SEED=${seed} ${part.again}` : part.again);
  return { passed, failed: failures.length, failures, figures: await readFigures(output) };
}

export function outputOf({ name }: Part, { folder }: Circumstances): string {
  return join(folder, `${name.replaceAll("/", "-")}.log`);
}

async function run(
  words: readonly string[],
  { environment }: Part,
  output: string,
  { repository, folder, night, seed, limitMillis }: Circumstances,
): Promise<boolean> {
  mkdirSync(folder, { recursive: true });
  const file = openSync(output, "w");
  const child = spawn(process.execPath, words, {
    cwd: repository,
    // A file, not a pipe: a pipe ends when the last process that inherited it does.
    stdio: ["ignore", file, file],
    env: {
      ...process.env,
      ...{ SVC_FAULTS: "full", BENCH_SIZE: "full", SVC_SEED: seed, [nightMark]: night },
      ...environment,
    },
  });
  closeSync(file);
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  child.once("error", reject).once("exit", (code) => resolve(code === 0));
  const limit = setTimeout(() => {
    endMarked(night);
    child.kill("SIGKILL");
    appendFileSync(output, `\nEnded: it took longer than ${limitMillis / 3_600_000} hours.\n`);
  }, limitMillis);
  return promise.finally(() => clearTimeout(limit));
}

function countTests({ numPassedTests, testResults }: Report, repository: string, seed: string) {
  const failures = testResults.flatMap(({ name, status, assertionResults }) => {
    const file = relative(repository, name);
    const failed = assertionResults.filter((result) => result.status === "failed");
    // A file that failed though none of its tests did: it did not load, or one of its hooks threw.
    if (failed.length === 0) return status === "failed" ? [repeatLine(seed, file)] : [];
    return failed.map(({ ancestorTitles, title }) => repeatLine(seed, file, [...ancestorTitles, title]));
  });
  return { passed: numPassedTests, failures };
}

function repeatLine(seed: string, file: string, titles: readonly string[] = []): string {
  const line = `SVC_SEED=${seed} SVC_FAULTS=full npx vitest run ${file}`;
  // Vitest takes an expression, and joins names like this.
  const name = titles
    .filter((title) => title !== "")
    .join(" > ")
    .replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return name === "" ? line : `${line} -t '${name.replaceAll("'", String.raw`'\''`)}'`;
}

/** Benches and tests print figures for machines as an object on a line. */
async function readFigures(output: string): Promise<object[]> {
  const figures: object[] = [];
  for await (const line of createInterface(createReadStream(output))) {
    if (!line.startsWith("{")) continue;
    try {
      figures.push(JSON.parse(line) as object);
    } catch {
      // It only looks like it.
    }
  }
  return figures;
}
