import { type Outcome, passingOutcomes } from "../../platform/text/readers/extraction.ts";

const minute = 60_000;
/** Delays after the first, second and third attempt. The machine may be busy for minutes, or for an afternoon. */
const pauses = [5 * minute, 60 * minute, 6 * 60 * minute];

/** When to retry a document after this many attempts; null if the result is final. */
export function retryTime(outcome: Outcome, attempts: number, now: Date): Date | null {
  const pause = pauses[attempts - 1];
  if (pause === undefined || !passingOutcomes.includes(outcome)) return null;
  return new Date(now.getTime() + pause);
}
