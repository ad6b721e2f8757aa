import type { JobContext } from "./define-job.ts";

/** A slice of one tenant's work, claimed: no other lane has it. */
export interface Turn {
  tenantId: string;
  take(): Promise<void>;
}

/** Work that every worker process does all the time, so that it grows with the number of workers. */
export interface TurnsDefinition {
  /** Turns at once in each process. A tenant that is alone gets a third of them, and at least two. */
  lanes: number;
  /** Between looks for work, in milliseconds; five seconds if absent. */
  idleMillis?: number;
  /** Of the tenant that waited longest, except those that have their share of the lanes. Undefined if there is none. */
  claim(context: JobContext, served: readonly string[]): Promise<Turn | undefined>;
}

export function defineTurns(definition: TurnsDefinition): TurnsDefinition {
  return definition;
}
