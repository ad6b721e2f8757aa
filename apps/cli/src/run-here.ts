import { Interrupted } from "@svc/machine/failure";
import { exitCode } from "@svc/protocol/exit-code";
import { runSvc } from "./run-svc.ts";
import { standardTerminal } from "./terminal.ts";

const graceMillis = 700;

/**
 * In this process, with its streams and signals. The first Ctrl-C ends what runs, the second does not wait for it, and
 * neither waits long: who reads a full pipe no more would keep the write to it, and svc, for ever.
 */
export async function runHere(typed: string[]): Promise<never> {
  const interruption = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      if (interruption.signal.aborted) process.exit(exitCode.interrupted);
      interruption.abort(new Interrupted());
      setTimeout(() => process.exit(exitCode.interrupted), graceMillis).unref();
    });
  }
  const terminal = standardTerminal(process.env);
  const code = await runSvc({ typed, environment: process.env, terminal, signal: interruption.signal });
  // What is still drawn of progress. Then nothing is cut off, because all that was said has been taken, and neither a
  // keychain that does not answer nor somebody who still types into standard input keeps the process.
  await terminal.error("").catch(() => {});
  process.exit(code);
}
