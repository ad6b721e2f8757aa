import { utcMinute } from "../process/utc-minute.ts";
import { passingOutcomes } from "./readers/extraction.ts";

/** The attempts to read the text of a document so far. */
export interface Reading {
  outcome: string;
  attempts: number;
  /** Null if the result is final. */
  retryAt: Date | null;
}

/** Whether it will be retried. Undefined if there was no reason to. */
export function retryNote({ outcome, attempts, retryAt }: Reading): string | undefined {
  if (!passingOutcomes.some((passing) => passing === outcome)) return undefined;
  if (retryAt) return `It will be retried at ${utcMinute(retryAt)}.`;
  return `It was tried ${attempts === 1 ? "once" : `${attempts} times`} and will not be retried.`;
}
