import type { Log } from "./log.ts";

const patience = 20_000;

/** On SIGTERM or SIGINT: accepts no new work, finishes running work, then ends the process; after 20 s it ends anyway. */
export function stopOnSignal(log: Log, stop: () => Promise<void>): void {
  let stopping = false;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      log.info({ signal }, "stopping");
      setTimeout(() => process.exit(1), patience).unref();
      stop().then(
        () => log.info("stopped"),
        (error: unknown) => {
          log.error({ err: error }, "could not shut down cleanly");
          process.exitCode = 1;
        },
      );
    });
  }
}
