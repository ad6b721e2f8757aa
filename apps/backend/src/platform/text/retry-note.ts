import { utcMinute } from "../process/utc-minute.ts";
import { passingOutcomes } from "./readers/extraction.ts";

/** How reading the text of a document went so far. */
export interface Reading {
  outcome: string;
  attempts: number;
  /** Null: what came out is final. */
  retryAt: Date | null;
}

/** Whether it will be read again. Undefined if there was no reason to. */
export function retryNote({ outcome, attempts, retryAt }: Reading): string | undefined {
  if (!passingOutcomes.some((passing) => passing === outcome)) return undefined;
  if (retryAt) return `It will be tried again at ${utcMinute(retryAt)}.`;
  return `It was tried ${attempts === 1 ? "once" : `${attempts} times`} and will not be tried again.`;
}
