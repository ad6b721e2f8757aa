import { spawn } from "node:child_process";
import { createWriteStream, readFileSync } from "node:fs";
import { join } from "node:path";

export interface Step {
  name: string;
  command: readonly [program: string, ...args: string[]];
  env?: Record<string, string>;
}

export interface EndedStep {
  name: string;
  isPassed: boolean;
  seconds: number;
  /** All that it printed. */
  log: string;
}

const shownLines = 150;

/** Runs steps, some at the same time, each as soon as there is room. What a step prints goes to a file. */
export async function runSteps(steps: readonly Step[], atOnce: number, folder: string): Promise<EndedStep[]> {
  const pending = [...steps];
  const ended: EndedStep[] = [];
  const lane = async () => {
    for (let step = pending.shift(); step !== undefined; step = pending.shift()) {
      const result = await runStep(step, folder);
      ended.push(result);
      console.log(
        `${result.isPassed ? "ok    " : "FAILED"} ${result.name.padEnd(14)} ${result.seconds.toFixed(0)} s`,
      );
      if (!result.isPassed) console.log(lastLines(result.log));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return ended;
}

async function runStep({ name, command, env }: Step, folder: string): Promise<EndedStep> {
  const log = join(folder, `${name}.log`);
  const output = createWriteStream(log);
  const begun = performance.now();
  const [program, ...args] = command;
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...env } });
  child.stdout.pipe(output, { end: false });
  child.stderr.pipe(output, { end: false });
  const end = await new Promise<string | number | null>((resolve) => {
    child.once("error", ({ message }) => resolve(message));
    child.once("close", (code, signal) => resolve(code ?? signal));
  });
  await new Promise<void>((resolve) => output.end(end === 0 ? "" : `${name} ended with ${end}\n`, resolve));
  return { name, isPassed: end === 0, seconds: (performance.now() - begun) / 1_000, log };
}

function lastLines(log: string): string {
  return readFileSync(log, "utf8").split("\n").slice(-shownLines).join("\n");
}
