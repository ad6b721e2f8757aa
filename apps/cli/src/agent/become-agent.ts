import { spawn } from "node:child_process";
import { constants } from "node:os";
import { Failure } from "@svc/machine/failure";
import type { Invocation } from "../invocation.ts";
import { findAgent } from "./find-agent.ts";

/**
 * Hands over to svc-agent, which does the work: this process becomes it and keeps its streams, signals and exit code.
 * Windows cannot replace a process, so there svc-agent is a child whose exit code is passed on.
 */
export async function becomeAgent(verb: string, { typed, environment }: Invocation): Promise<number> {
  const agent = findAgent(environment);
  if (!agent) {
    throw new Failure("helperMissing", "svc-agent is neither next to svc nor on PATH.", {
      hint: "Install svc-agent; `svc doctor` shows where svc looks for it.",
    });
  }
  if (!agent.isExecutable) {
    const hint = `chmod +x '${agent.path}'`;
    throw new Failure("helperMissing", `${agent.path} is not executable.`, { hint });
  }
  if (process.platform !== "win32" && process.execve) {
    process.execve(agent.path, ["svc-agent", verb, ...typed], environment as Record<string, string>);
  }
  return ended(agent.path, [verb, ...typed], environment);
}

async function ended(path: string, words: string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(path, words, { stdio: "inherit", env: environment });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => child.kill(signal));
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  child.once("error", (error) =>
    reject(new Failure("helperMissing", `${path} cannot be run: ${error.message}.`, { cause: error })),
  );
  child.once("exit", (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  return promise;
}
