import { counted, grouped } from "@svc/rendering/counted";
import type { z } from "zod";
import { issueMessage, unspecific } from "./issue-message.ts";
import { echo } from "./usage-error.ts";
import { takes, type ValueRules } from "./value-rules.ts";

/** For `safeParse`: leaves the wording to `wordIssue`. A rule with its own message never asks. */
export const unworded = () => "";

const longestValue = 40;

/**
 * What is wrong with a value, to follow the name of its argument: `takes a number from 1 to 200, not \`foo\``. No
 * sentence of the validation library gets through, whatever kind of issue it adds one day.
 */
export function wordIssue(issue: z.core.$ZodIssue, value: unknown, rules: ValueRules = {}): string {
  if (issue.message !== "") return withValue(issue.message, value, rules);
  const counting = wordByCount(issue, value);
  if (counting !== undefined) return counting;
  const wanted = takes(rules, value);
  // Of a text in the wrong form, "takes text" would say nothing.
  const isKnown = wanted !== undefined && (wanted !== "text" || issue.code === "invalid_type");
  if (isKnown) return `takes ${wanted}${butNot(value, rules)}`;
  const general = issueMessage(issue);
  return general === unspecific ? `does not take ${shown(value, rules)}` : withValue(general, value, rules);
}

/** Of what is too long or too short, its length says more than its beginning. */
function wordByCount(issue: z.core.$ZodIssue, value: unknown): string | undefined {
  if (issue.code === "too_big" && typeof value === "string") {
    return `is too long: at most ${counted(issue.maximum, "character")}, not ${grouped(value.length)}`;
  }
  if (issue.code === "too_big" && Array.isArray(value)) {
    return `takes at most ${counted(issue.maximum, "value")}, not ${grouped(value.length)}`;
  }
  if (issue.code === "too_small" && (typeof value === "string" || Array.isArray(value))) {
    if (issue.minimum === 1) return "must not be empty";
    const unit = typeof value === "string" ? "character" : "value";
    return `takes at least ${counted(issue.minimum, unit)}, not ${grouped(value.length)}`;
  }
  return undefined;
}

/** A message that a command words itself. */
function withValue(message: string, value: unknown, rules: ValueRules): string {
  if (value === undefined || rules.secret) return message;
  return /^must (be|have)\b/.test(message)
    ? `${message}${butNot(value, rules)}`
    : `${message}: ${shown(value, rules)}`;
}

function butNot(value: unknown, rules: ValueRules): string {
  return rules.secret ? "" : `, not ${shown(value, rules)}`;
}

function shown(value: unknown, { type, secret }: ValueRules): string {
  if (secret) return "this value";
  if (value === undefined) return "nothing";
  if (value === "") return "an empty value";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  if (typeof value !== "string") {
    return typeof value === "number" && type === "string" ? `the number ${value}` : `\`${value}\``;
  }
  // In JSON, "5" is not 5.
  const looksRight = type !== "string" && /^(true|false|-?\d[\d.]*)$/.test(value);
  return `${looksRight ? "the text " : ""}\`${echo(value, longestValue)}\``;
}
