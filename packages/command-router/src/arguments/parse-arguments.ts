import type { Violation } from "@svc/protocol/problem";
import { hasStackedMarks } from "@svc/unicode/stacked-marks";
import type { z } from "zod";
import type { CommandFacts } from "../catalog.ts";
import { typedName } from "./argument-spec.ts";
import { issueMessage } from "./issue-message.ts";
import { echo, usageError } from "./usage-error.ts";

/** Checks arguments from any surface against the command's schema; a refusal names each argument as people type it. */
export function parseArguments(command: CommandFacts, raw: unknown): Record<string, unknown> {
  refuseStackedMarks(command, raw);
  const parsed = command.arguments.safeParse(raw, { error: issueMessage });
  if (parsed.success) return parsed.data;
  throw usageError(
    command,
    parsed.error.issues.flatMap((issue) => toViolations(command, issue, raw)),
  );
}

/** Before the schema, whose rules may normalise. */
function refuseStackedMarks(command: CommandFacts, raw: unknown): void {
  const violations = command.specs
    .filter(({ name }) =>
      [Object(raw)[name]].flat().some((value) => typeof value === "string" && hasStackedMarks(value)),
    )
    .map((spec) => ({ argument: typedName(spec), message: "has more than 30 combining marks in a row" }));
  if (violations.length > 0) throw usageError(command, violations);
}

function toViolations(command: CommandFacts, issue: z.core.$ZodIssue, raw: unknown): Violation[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ argument: echo(key), message: "unknown argument" }));
  }
  const spec = command.specs.find(({ name }) => name === issue.path[0]);
  if (!spec) return [{ argument: String(issue.path[0] ?? "arguments"), message: issue.message }];
  // A rule of the whole command may point at a missing argument; its own message says more.
  const missing = issue.code !== "custom" && !Object.hasOwn(Object(raw), spec.name);
  return [{ argument: typedName(spec), message: missing ? "is required" : issue.message }];
}
