import { exitCode } from "@svc/protocol/exit-code";
import { isOlder } from "@svc/releases/is-older";
import { build } from "./build.ts";
import { forward } from "./forward.ts";
import type { Invocation } from "./invocation.ts";
import { isLocalVerb, runLocalVerb } from "./local-verbs.ts";
import { openService } from "./network/open-service.ts";
import { ProgressLine } from "./progress-line.ts";
import { takeRenderingFlags } from "./rendering/rendering-flags.ts";
import { reportFailure } from "./report-failure.ts";
import { chosenWorkspace } from "./state/chosen-workspace.ts";

/** Runs one line, on this machine or on the server. Returns the exit code. */
export async function runSvc(invocation: Invocation): Promise<number> {
  const { typed, environment, terminal } = invocation;
  const progress = new ProgressLine(terminal);
  if (environment.SVC_COMPLETE) return (await import("./completion/complete.ts")).complete(invocation);
  try {
    const [verb, ...words] = typed;
    if (isLocalVerb(verb)) return await runLocalVerb(verb, { ...invocation, typed: words }, progress);
    return await runServersLine(invocation, progress);
  } catch (error) {
    await progress.clear();
    const code = await reportFailure(error, terminal, asksForJson(typed));
    // Help for local verbs works without a server.
    if (typed.length === 0 || typed[0] === "--help" || typed[0] === "help") {
      const { localHelp } = await import("./local-help.ts");
      await terminal.out(`${localHelp(terminal.columns)}\n`);
    }
    return code;
  }
}

async function runServersLine(invocation: Invocation, progress: ProgressLine): Promise<number> {
  const { typed, environment, signal, terminal } = invocation;
  const { argv, ...flags } = takeRenderingFlags(typed);
  const service = await openService(invocation, (...why) => progress.wait(...why));
  const workspace = await chosenWorkspace(service, environment);
  const code = await forward(invocation, service, { argv, flags, workspace }, progress);
  const { minimumClient } = service;
  if (minimumClient !== undefined && isOlder(build.version, minimumClient)) {
    await terminal.error(
      `note: this is svc ${build.version}; the service wants ${minimumClient} or newer. Get it with: svc update\n`,
    );
  }
  return code === exitCode.done && signal.aborted ? exitCode.interrupted : code;
}

function asksForJson(typed: readonly string[]): boolean {
  return typed.some(
    (word, at) => word === "--format=json" || (word === "--format" && typed[at + 1] === "json"),
  );
}
