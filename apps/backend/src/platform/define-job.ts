import type { Log } from "./log.ts";
import type { Staging } from "./staging.ts";

export interface JobContext {
  /** The worker's own statements; a job that works for a tenant names it. */
  sweepExpired(batch: number): Promise<number>;
  staging: Staging;
  log: Log;
  now: Date;
  signal: AbortSignal | undefined;
}

export interface JobDefinition {
  /** Five fields, UTC. */
  cron: string;
  run(context: JobContext): Promise<void>;
}

export function defineJob(definition: JobDefinition): JobDefinition {
  return definition;
}
