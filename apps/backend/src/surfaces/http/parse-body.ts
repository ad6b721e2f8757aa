import { echo, sentences } from "@svc/command-router/arguments/usage-error";
import type { ValueRules } from "@svc/command-router/arguments/value-rules";
import { unworded, wordIssue } from "@svc/command-router/arguments/word-issue";
import { ProblemError, type Violation } from "@svc/protocol/problem";
import { z } from "zod";

/** Wording a hundred thousand wrong entries would take long. */
const mostIssues = 20;

/** A refusal names each field by its path, what it takes and what was sent. */
export function parseBody<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
  part: "body" | "query" = "body",
): z.output<Schema> {
  const parsed = schema.safeParse(body, { error: unworded });
  if (parsed.success) return parsed.data;
  const described = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as BodySchema;
  const violations = parsed.error.issues
    .slice(0, mostIssues)
    .flatMap((issue) => toViolations(described, issue, body))
    .slice(0, mostIssues);
  throw new ProblemError(
    "invalid_request",
    `The request ${part} does not match what this address accepts. ${sentences(violations)}`,
    { violations },
  );
}

function toViolations(described: BodySchema, issue: z.core.$ZodIssue, body: unknown): Violation[] {
  const nameOf = (path: readonly PropertyKey[]) => echo(path.map(String).join(".")) || "body";
  if (issue.code === "unrecognized_keys") {
    return issue.keys.slice(0, mostIssues).map((key) => ({
      argument: nameOf([...issue.path, key]),
      message: "is not a field of this request",
    }));
  }
  const value = issue.path.reduce<unknown>(
    (at, part) => (Object.hasOwn(Object(at), part) ? Object(at)[part] : undefined),
    body,
  );
  const isMissing = value === undefined && issue.code !== "custom";
  const message = isMissing ? "is required" : wordIssue(issue, value, rulesAt(described, issue.path));
  return [{ argument: nameOf(issue.path), message }];
}

interface BodySchema extends ValueRules {
  properties?: Record<string, BodySchema> | undefined;
  items?: BodySchema | undefined;
}

function rulesAt(described: BodySchema, path: readonly PropertyKey[]): ValueRules | undefined {
  return path.reduce<BodySchema | undefined>(
    (at, part) => (typeof part === "number" ? at?.items : at?.properties?.[String(part)]),
    described,
  );
}
