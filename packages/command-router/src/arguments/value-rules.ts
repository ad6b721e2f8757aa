import { grouped } from "@svc/rendering/counted";
/** What one value must be: the keywords of JSON Schema that a refusal is worded from. */
export interface ValueRules {
  type?: string | undefined;
  enum?: unknown[] | undefined;
  const?: unknown;
  format?: string | undefined;
  minimum?: number | undefined;
  maximum?: number | undefined;
  exclusiveMinimum?: number | undefined;
  exclusiveMaximum?: number | undefined;
  multipleOf?: number | undefined;
  /** Never shown, not even to the person who typed it. */
  secret?: boolean | undefined;
}

const typeNames: Record<string, string> = {
  array: "a list of values",
  boolean: "true or false",
  object: "an object",
  string: "text",
};

const formatNames: Record<string, string> = {
  date: "a date such as 2026-03-05",
  "date-time": "a time such as 2026-03-05T14:30:00Z",
  email: "an e-mail address",
  uri: "a URL",
  uuid: "a UUID",
};

/** Completes "--limit takes …": `a number from 1 to 200`, `viewer, editor or owner`. Undefined if that is unknown. */
export function takes(rules: ValueRules, value?: unknown): string | undefined {
  const choices = choicesOf(rules);
  if (choices !== undefined) return oneOf(choices);
  if (rules.type === "integer" || rules.type === "number") return aNumber(rules, value);
  return formatNames[rules.format ?? ""] ?? typeNames[rules.type ?? ""];
}

export function choicesOf({ enum: choices, const: only }: ValueRules): string[] | undefined {
  return (choices ?? (only === undefined ? undefined : [only]))?.map(String);
}

export function oneOf(values: readonly string[]): string {
  return values.length < 2 ? values.join() : `${values.slice(0, -1).join(", ")} or ${values.at(-1)}`;
}

function aNumber(rules: ValueRules, value: unknown): string {
  // "Whole" is worth a word only to somebody who typed a fraction.
  const isFraction = typeof value === "number" && !Number.isInteger(value);
  const number = rules.type === "integer" && isFraction ? "a whole number" : "a number";
  const named = rules.multipleOf === undefined ? number : `a multiple of ${grouped(rules.multipleOf)}`;
  const { minimum, exclusiveMinimum: above, exclusiveMaximum: below } = rules;
  // zod bounds every whole number by what a double holds exactly.
  const isUnlimited = (bound: number | undefined) => Math.abs(bound ?? 0) === Number.MAX_SAFE_INTEGER;
  const maximum = isUnlimited(rules.maximum) ? undefined : rules.maximum;
  const least = isUnlimited(minimum) ? undefined : minimum;
  if (least !== undefined && maximum !== undefined) {
    return `${named} from ${grouped(least)} to ${grouped(maximum)}`;
  }
  const bounds = [
    ...(least === undefined ? [] : [`of at least ${grouped(least)}`]),
    ...(maximum === undefined ? [] : [`of at most ${grouped(maximum)}`]),
    ...(above === undefined ? [] : [`above ${grouped(above)}`]),
    ...(below === undefined ? [] : [`below ${grouped(below)}`]),
  ];
  return [named, bounds.join(" and ")].filter((part) => part !== "").join(" ");
}
