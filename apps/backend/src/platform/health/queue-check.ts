import type { QueueWatch } from "../jobs/queue-watch.ts";
import { Probe } from "./probe.ts";
import type { Finding } from "./readiness.ts";

/**
 * Stuck: a job could have started long ago, and this process starts none. A long queue alone is not stuck, nor is a
 * process whose jobs take long while another worker starts the rest.
 */
export function queueCheck(
  queue: () => Pick<QueueWatch, "idleSeconds" | "read"> | undefined,
  stuckSeconds: number,
): Probe<Finding> {
  return new Probe({
    ask: async (): Promise<Finding> => {
      const started = queue();
      if (!started) return { obstacle: "starting" };
      const { oldestReadySeconds } = await started.read();
      if (Math.min(oldestReadySeconds, started.idleSeconds) < stuckSeconds) return {};
      const cause = new Error(
        `a job has been ready for ${Math.round(oldestReadySeconds)} s, and this worker has started none`,
      );
      return { obstacle: "queue_stuck", cause };
    },
    onFailure: (cause): Finding => ({ obstacle: "database", cause }),
    limitMillis: 800,
    freshMillis: 1_000,
  });
}
