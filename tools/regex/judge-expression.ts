import { check } from "recheck";
import { withoutSetNotation } from "./without-set-notation.ts";

/**
 * An attack counts by the characters that it makes the matcher read, never by time: with recheck's own time limits a
 * busy machine turned eight linear expressions into quadratic ones. Of 30,000 characters a linear expression reads each
 * a few times, a quadratic one hundreds of millions.
 */
const byWork = {
  maxAttackStringSize: 30_000,
  attackLimit: 3_000_000,
  // A fifth and a half of the defaults: finds the same in a third of the time.
  incubationLimit: 5_000,
  maxIteration: 5,
  attackTimeout: null,
  incubationTimeout: null,
  seedingTimeout: null,
  // A few seconds alone; a busy machine must not turn them into a failure.
  timeout: 600_000,
};

/** Why an expression may take more than linear time, or undefined if it does not. */
export async function judgeExpression(source: string, flags: string): Promise<string | undefined> {
  const plain = flags.includes("v") ? withoutSetNotation(source) : source;
  const verdict = await check(plain, flags.replace("v", "u"), byWork);
  if (verdict.status === "safe") return undefined;
  if (verdict.status === "unknown") return `cannot be judged (${verdict.error.kind})`;
  return `takes ${verdict.complexity.summary} time, for example on ${verdict.attack.pattern}`;
}
