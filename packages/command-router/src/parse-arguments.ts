import type { Violation } from "@svc/protocol/problem";
import type { z } from "zod";
import type { Command } from "./catalog.ts";
import { usageError } from "./parse-argv.ts";

/** Checks arguments from any surface against the command's schema; a refusal names each one as it is typed. */
export function parseArguments(command: Command<never> | Command, raw: unknown): Record<string, unknown> {
  const parsed = command.arguments.safeParse(raw);
  if (parsed.success) return parsed.data;
  const violations = parsed.error.issues.slice(0, 20).flatMap((issue) => toViolations(command, issue, raw));
  throw usageError(command, violations);
}

function toViolations(command: Command<never> | Command, issue: z.core.$ZodIssue, raw: unknown): Violation[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ argument: key.slice(0, 100), message: "unknown argument" }));
  }
  const spec = command.specs.find(({ name }) => name === issue.path[0]);
  if (!spec) return [{ argument: String(issue.path[0] ?? "arguments"), message: issue.message }];
  const missing = issue.code === "invalid_type" && !Object.hasOwn(Object(raw), spec.name);
  const argument = spec.position === undefined ? `--${spec.flag}` : `<${spec.flag}>`;
  return [{ argument, message: missing ? "is required" : issue.message }];
}
