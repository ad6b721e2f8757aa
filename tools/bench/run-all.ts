import { spawn } from "node:child_process";
import { globSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { benchSize } from "./bench-size.ts";

interface Run {
  name: string;
  /** What Node is started with: a script and its arguments. */
  command: readonly string[];
}

export interface MeasureRun extends Run {
  /** Relative to the repository. */
  file: string;
}

const tools = resolve(import.meta.dirname, "..");
const programs = [
  { program: "bench", folder: "benches" },
  { program: "evaluate", folder: "evaluations" },
  { program: "agents-eval", folder: "agents/evaluations" },
];

/** A smoke run that takes longer hangs, even on a busy machine. */
const limitMillis = benchSize(undefined, 600_000);

/** One after the other, each in its own process. Prints a line each, and the output of those that fail. */
export async function runAll(runs: readonly Run[]): Promise<boolean> {
  const failed: string[] = [];
  for (const { name, command } of runs) {
    const start = performance.now();
    const { isDone, output } = await run(command);
    const seconds = ((performance.now() - start) / 1_000).toFixed(1);
    console.log(`${isDone ? "ok    " : "FAILED"} ${name.padEnd(22)} ${seconds.padStart(5)} s`);
    if (isDone) continue;
    failed.push(name);
    console.log(output);
  }
  const failures = failed.length === 0 ? "" : `, failed: ${failed.join(", ")}`;
  console.log(`${runs.length - failed.length} of ${runs.length} finished${failures}`);
  return failed.length === 0;
}

async function run(command: readonly string[]): Promise<{ isDone: boolean; output: string }> {
  const child = spawn(process.execPath, command, {
    stdio: ["ignore", "pipe", "pipe"],
    ...(limitMillis === undefined ? {} : { timeout: limitMillis }),
  });
  const ended = new Promise<string | number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve(code ?? signal));
  });
  const [output, progress, end] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { isDone: end === 0, output: `${progress}${output}ended with ${end}` };
}

/** Every bench and every evaluation, and how to run it. */
export function measureRuns(): MeasureRun[] {
  return programs.flatMap(({ program, folder }) =>
    globSync(`${folder}/**/*.ts`, { cwd: tools })
      .toSorted()
      .map((path) => {
        const measured = basename(path, ".ts");
        return {
          name: program === "bench" ? measured : `${program} ${measured}`,
          file: relative(resolve(tools, ".."), join(tools, path)),
          command: [join(tools, `${program}.ts`), measured],
        };
      }),
  );
}
