import { z } from "zod";

/** JSON Schema of one value or of a list. */
export interface Described {
  type?: string;
  enum?: unknown[];
  items?: Described;
  properties?: Record<string, Described>;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
  format?: string;
  pattern?: string;
  secret?: boolean;
}

export interface Mistake {
  what: string;
  value: unknown;
  /** What the refusal must contain, besides the name: what is taken, and what was given. */
  says: string[];
}

const grouped = (count: number) => count.toLocaleString("en-US");

/** What somebody may type or send in place of such a value. Not all are refused: `x` may be a name. */
export function mistakesIn(described: Described): Mistake[] {
  const { type, enum: choices, minimum, maximum, maxLength, pattern, items, maxItems } = described;
  const isNumber = type === "integer" || type === "number";
  const hasMaximum = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  const bounds = [minimum, hasMaximum ? maximum : undefined].flatMap((bound) =>
    bound === undefined ? [] : [grouped(bound)],
  );
  const asNumber = (what: string, value: unknown): Mistake => ({
    what,
    value,
    says: ["number", ...bounds, `\`${value}\``],
  });
  return [
    ...(isNumber ? [asNumber("text for a number", "foo"), asNumber("a fraction", 1.5)] : []),
    ...(isNumber && minimum !== undefined ? [asNumber("below", minimum - 1)] : []),
    ...(isNumber && hasMaximum ? [asNumber("above", maximum + 1)] : []),
    ...(isNumber ? [{ what: "empty", value: "", says: ["number", ...bounds, "empty"] }] : []),
    ...(type === "boolean"
      ? [{ what: "text for yes or no", value: "maybe", says: ["true or false", "`maybe`"] }]
      : []),
    ...(choices
      ? [
          { what: "unknown choice", value: "nosuch", says: [...choices.map(String), "`nosuch`"] },
          { what: "empty", value: "", says: [...choices.map(String), "empty"] },
        ]
      : []),
    ...(maxLength === undefined
      ? []
      : [
          {
            what: "too long",
            value: "x".repeat(maxLength + 1),
            says: [grouped(maxLength), grouped(maxLength + 1)],
          },
        ]),
    ...(pattern === undefined ? [] : [{ what: "wrong form", value: unlike(pattern), says: [] }]),
    ...(type === "string" && !choices
      ? [
          { what: "empty", value: "", says: ["empty"] },
          { what: "odd text", value: "no @such: value", says: ["`no @such: value`"] },
        ]
      : []),
    ...(items && maxItems !== undefined
      ? [
          {
            what: "too many",
            value: Array.from({ length: maxItems + 1 }, () => items.enum?.[0] ?? "a:b"),
            says: [grouped(maxItems), grouped(maxItems + 1)],
          },
        ]
      : []),
  ];
}

/** What only JSON can get wrong. */
export function wrongTypes({ type, format, enum: choices, items }: Described): Mistake[] {
  const wanted = choices
    ? choices.map(String)
    : [
        {
          string: format === "uuid" ? "UUID" : "text",
          boolean: "true or false",
          array: "list",
          object: "object",
        }[type ?? ""] ?? "number",
      ];
  const given: [what: string, value: unknown, shown: string][] = [
    ["null", null, "`null`"],
    ["an object", { a: 1 }, "an object"],
    ["a list", [["a"]], "a list"],
    ["a number", 7, "7"],
    ["yes or no", true, "`true`"],
    ["text", "7", "`7`"],
  ];
  const own = {
    integer: "a number",
    number: "a number",
    boolean: "yes or no",
    string: "text",
    array: "a list",
  };
  const wrong = given.filter(
    ([what]) =>
      what !== own[(type ?? "") as keyof typeof own] && !(what === "an object" && type === "object"),
  );
  const element = items ? [{ what: "an object in a list", value: [{}], says: ["an object"] }] : [];
  return [...wrong.map(([what, value, shown]) => ({ what, value, says: [...wanted, shown] })), ...element];
}

function unlike(pattern: string): string {
  const form = new RegExp(pattern, "u");
  const found = ["!", "\u0007"].find((text) => !form.test(text));
  if (found === undefined) throw new Error(`everything matches ${pattern}`);
  return found;
}

/** What the validation library says by itself about this value, at this place; rules with their own words aside. */
export function librarySentences(schema: z.ZodType, value: unknown): { path: string; sentence: string }[] {
  const spoken = schema.safeParse(value).error?.issues ?? [];
  const marked = schema.safeParse(value, { error: () => "library" }).error?.issues ?? [];
  return spoken.flatMap((issue, index) =>
    marked[index]?.message === "library"
      ? [{ path: z.core.toDotPath(issue.path), sentence: issue.message }]
      : [],
  );
}

export const libraryWords = /invalid|expected|received|too (small|big)|unrecognized|nan|zod|undefined/i;
