import { setTimeout as sleep } from "node:timers/promises";
import { type Service, waitBefore } from "../network/service.ts";
import type { ProgressLine } from "../progress-line.ts";

const attemptsWithoutProgress = 4;

/** Resumes after every interruption, as long as something arrives in between. */
export async function persevere(
  service: Service,
  progress: ProgressLine,
  work: () => Promise<void>,
  arrived: () => number,
): Promise<void> {
  const { signal } = service;
  let [failures, before] = [0, 0];
  for (;;) {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      if (await service.waitForLimit(error)) continue;
      failures = arrived() > before ? 1 : failures + 1;
      before = arrived();
      const wait = waitBefore(error, failures);
      if (wait === undefined || failures === attemptsWithoutProgress) throw error;
      progress.wait((error as Error).message, wait);
      await sleep(wait, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}
