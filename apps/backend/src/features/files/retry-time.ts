import { type Outcome, passingOutcomes } from "../../platform/text/readers/extraction.ts";

const minute = 60_000;
/** After the first reading, the second and the third. The machine may be busy for minutes, or for an afternoon. */
const pauses = [5 * minute, 60 * minute, 6 * 60 * minute];

/** When a document is read again that was read so often; null if what came out is final. */
export function retryTime(outcome: Outcome, attempts: number, now: Date): Date | null {
  const pause = pauses[attempts - 1];
  if (pause === undefined || !passingOutcomes.includes(outcome)) return null;
  return new Date(now.getTime() + pause);
}
