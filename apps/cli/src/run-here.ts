import { Interrupted } from "@svc/machine/failure";
import { exitCode } from "@svc/protocol/exit-code";
import { runSvc } from "./run-svc.ts";
import { standardTerminal } from "./terminal.ts";

const graceMillis = 700;

/**
 * In this process, with its streams and signals. The first Ctrl-C stops the work, the second does not wait for that,
 * and neither waits long: a reader that stopped reading a full pipe would block the write, and svc, forever.
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
  // Clears the progress line. Nothing is cut off then, because all output has been written, and neither a
  // keychain that does not answer nor an open standard input keeps the process alive.
  await terminal.error("").catch(() => {});
  process.exit(code);
}
