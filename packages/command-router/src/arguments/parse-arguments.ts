import type { Violation } from "@svc/protocol/problem";
import { hasStackedMarks } from "@svc/unicode/stacked-marks";
import type { z } from "zod";
import type { CommandFacts } from "../catalog.ts";
import { type ArgumentSpec, typedName } from "./argument-spec.ts";
import type { TypedWords } from "./read-argument-line.ts";
import { echo, usageError } from "./usage-error.ts";
import { unworded, wordIssue } from "./word-issue.ts";

/**
 * Checks arguments from any surface against the command's schema. A refusal names each argument as people type it and,
 * if it was a line, the wrong word.
 */
export function parseArguments(
  command: CommandFacts,
  raw: unknown,
  words: TypedWords = new Map(),
): Record<string, unknown> {
  refuseStackedMarks(command, raw, words);
  const parsed = command.arguments.safeParse(raw, { error: unworded });
  if (parsed.success) return parsed.data;
  const violations = parsed.error.issues.flatMap((issue) => toViolations(command, issue, raw, words));
  throw usageError(command, withoutRepetition(violations));
}

/** Before the schema, whose rules may normalise. */
function refuseStackedMarks(command: CommandFacts, raw: unknown, words: TypedWords): void {
  const violations = command.specs.flatMap((spec) => {
    const at = [Object(raw)[spec.name]]
      .flat()
      .findIndex((value) => typeof value === "string" && hasStackedMarks(value));
    return at === -1 ? [] : [violation(spec, "has more than 30 combining marks in a row", words, at)];
  });
  if (violations.length > 0) throw usageError(command, violations);
}

function toViolations(
  command: CommandFacts,
  issue: z.core.$ZodIssue,
  raw: unknown,
  words: TypedWords,
): Violation[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ argument: echo(key), message: "is not an argument of this command" }));
  }
  const [name, index] = issue.path;
  const spec = command.specs.find((declared) => declared.name === name);
  if (!spec) {
    const message = wordIssue(issue, issue.code === "custom" ? undefined : raw, { type: "object" });
    return [{ argument: String(name ?? "arguments"), message }];
  }
  // A rule of the whole command may point at a missing argument; its own message says more.
  if (issue.code !== "custom" && !Object.hasOwn(Object(raw), spec.name)) {
    return [{ argument: typedName(spec), message: "is required" }];
  }
  const given: unknown = Object(raw)[spec.name];
  if (typeof index !== "number") {
    const rules = spec.repeatable ? { type: "array", secret: spec.secret } : spec.rules;
    return [violation(spec, wordIssue(issue, given, rules), words, 0)];
  }
  return [violation(spec, wordIssue(issue, Object(given)[index], spec.rules), words, index)];
}

function violation(spec: ArgumentSpec, message: string, words: TypedWords, index: number): Violation {
  const word = words.get(spec.name)?.[index];
  return { argument: typedName(spec), message, ...(word === undefined ? {} : { word }) };
}

/** A text that is both too short and of the wrong form is wrong once. */
function withoutRepetition(violations: readonly Violation[]): Violation[] {
  const told = new Map(violations.map((each) => [`${each.argument} ${each.word} ${each.message}`, each]));
  return [...told.values()];
}
