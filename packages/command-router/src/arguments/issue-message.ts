import type { z } from "zod";
import { oneOf } from "./value-rules.ts";

const typeNames: Record<string, string> = {
  array: "a list",
  boolean: "true or false",
  int: "a whole number",
  number: "a number",
  object: "an object",
  record: "an object",
  string: "text",
};
const formatNames: Record<string, string> = {
  date: "a date such as 2026-03-05",
  datetime: "a time such as 2026-03-05T14:30:00Z",
  email: "an e-mail address",
  url: "a URL",
  uuid: "a UUID",
};
const units: Record<string, string> = { array: "value", string: "character" };

export const unspecific = "is not valid";

/** What is wrong with a setting or a value without known rules. zod's own words are for programmers; a rule with its own message keeps it. */
export function issueMessage(issue: z.core.$ZodRawIssue | z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return `must be ${typeNames[issue.expected] ?? "of another type"}`;
    case "invalid_value":
      return `must be ${oneOf(issue.values.map(String))}`;
    case "invalid_format":
      return `must be ${formatNames[issue.format] ?? "in another format"}`;
    case "too_small":
      if (issue.origin in units && issue.minimum === 1) return "must not be empty";
      return `must be ${issue.inclusive === false ? "more than" : "at least"} ${amount(issue.minimum, issue.origin)}`;
    case "too_big":
      return `must be ${issue.inclusive === false ? "less than" : "at most"} ${amount(issue.maximum, issue.origin)}`;
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    default:
      return unspecific;
  }
}

function amount(bound: number | bigint, origin: string): string {
  const unit = units[origin];
  return unit === undefined ? String(bound) : `${bound} ${unit}${bound === 1 ? "" : "s"}`;
}
