import { defineTurns } from "../../../platform/jobs/define-turns.ts";
import { claimReading } from "../read-again.ts";

/** Retries documents whose reader ran out of time or could not be started, one per turn. */
export default defineTurns({
  // Each keeps a core busy.
  lanes: 3,
  claim: claimReading,
});
