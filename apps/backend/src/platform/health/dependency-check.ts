import { Probe } from "./probe.ts";
import type { DependencyState } from "./readiness.ts";

export function dependencyCheck(reach: (signal: AbortSignal) => Promise<void>): Probe<DependencyState> {
  return new Probe({
    ask: async (signal): Promise<DependencyState> => {
      await reach(signal);
      return { isUp: true };
    },
    onFailure: (cause): DependencyState => ({ isUp: false, cause }),
    limitMillis: 3_000,
    freshMillis: 5_000,
  });
}
