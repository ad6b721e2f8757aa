import { Interrupted } from "@svc/machine/failure";
import { exitCode } from "@svc/protocol/exit-code";
import { abandonedWork } from "./abandoned-work.ts";
import { runSvc } from "./run-svc.ts";
import { standardTerminal } from "./terminal.ts";

const graceMillis = 700;

/**
 * In this process, with its streams and signals. The first Ctrl-C ends what runs, the second does not wait for it, and
 * neither waits long: who reads a full pipe no more would keep the write to it, and svc, for ever.
 */
export async function runHere(typed: string[]): Promise<number> {
  const interruption = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      if (interruption.signal.aborted) process.exit(exitCode.interrupted);
      interruption.abort(new Interrupted());
      setTimeout(() => process.exit(exitCode.interrupted), graceMillis).unref();
    });
  }
  const code = await runSvc({
    typed,
    environment: process.env,
    terminal: standardTerminal(process.env),
    signal: interruption.signal,
  });
  // Nothing is cut off: all that was said has been taken.
  if (abandonedWork.exists) process.exit(code);
  return code;
}
