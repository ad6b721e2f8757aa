import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { LockWaitTooLong } from "./lock-watch.ts";

export interface LockPatience {
  patienceMillis: number;
  report: (line: string) => void;
}

/**
 * Repeats work until it gets its locks. While a statement waits for a strong lock, everybody who comes later waits behind
 * it; so it waits for a second only, and lets them through in the pause.
 */
export async function repeatUntilLocked(
  work: () => Promise<void>,
  { patienceMillis, report }: LockPatience,
): Promise<void> {
  const deadline = performance.now() + patienceMillis;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isLostToOthers(error)) throw error;
      // Random, so that it does not meet the same recurring transaction each time.
      const pauseMillis = 1_000 + Math.random() * 4_000;
      if (performance.now() + pauseMillis > deadline) {
        throw new Error(`gave up after attempt ${attempt}: ${error.message}`, { cause: error });
      }
      report(`${error.message}; next attempt in ${(pauseMillis / 1_000).toFixed(1)} s`);
      await sleep(pauseMillis);
    }
  }
}

/** No lock in time, or a deadlock that PostgreSQL ended at our cost. */
function isLostToOthers(error: unknown): error is Error {
  if (error instanceof LockWaitTooLong) return true;
  return error instanceof pg.DatabaseError && (error.code === "55P03" || error.code === "40P01");
}
