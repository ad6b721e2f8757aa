import { spawnSync } from "node:child_process";
import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import type { HeldLock } from "./exclusive-lock.ts";

type Step = {
  readonly log: string;
  readonly command: readonly [program: string, ...args: string[]];
  readonly env?: Record<string, string>;
  /** For a step that must not overlap with its own restart; never for one that leaves a server behind. */
  readonly heldUntilDone?: HeldLock;
};

const LINES_SHOWN = 20;

/** Runs one command with its output in the log; throws with the end of that output when it fails. */
export function runLoggedStep(step: Step): void {
  const [program, ...args] = step.command;
  mkdirSync(dirname(step.log), { recursive: true });
  const log = openSync(step.log, "a");
  try {
    const logBefore = fstatSync(log).size;
    writeSync(log, `\n$ ${step.command.join(" ")}\n`);
    const inherited = step.heldUntilDone ? [step.heldUntilDone.descriptor] : [];
    const result = spawnSync(program, args, {
      stdio: ["ignore", log, log, ...inherited],
      env: step.env ?? process.env,
    });
    if (result.error) throw new Error(`${program} did not run: ${result.error.message}`);
    if (result.status === 0) return;
    const output = readFileSync(step.log).subarray(logBefore).toString("utf8");
    const lastLines = output.trim().split("\n").slice(-LINES_SHOWN);
    const ending = result.signal ? `was ended by ${result.signal}` : `ended with status ${result.status}`;
    throw new Error(`${program} ${ending}. The end of ${step.log}:\n\n${lastLines.join("\n")}\n`);
  } finally {
    closeSync(log);
  }
}
