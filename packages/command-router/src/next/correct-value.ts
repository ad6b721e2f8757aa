import type { ArgumentSpec } from "../arguments/argument-spec.ts";
import { letters, suggest } from "../arguments/suggest.ts";

/** The value in the form that the argument takes, if there is only one way to read it; else as it was given. */
export function correctValue(
  spec: ArgumentSpec,
  value: unknown,
  { mayClamp }: { mayClamp: boolean },
): unknown {
  const one = (item: unknown) => correctOne(spec, item, mayClamp);
  if (!spec.repeatable) return one(Array.isArray(value) && value.length === 1 ? value[0] : value);
  return listOf(spec, value).map(one);
}

function listOf({ description }: ArgumentSpec, value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value === "string" && value.startsWith("[")) return parsedList(value) ?? [value];
  if (typeof value !== "object" || value === null) return [value];
  // `{"name": "Acme"}` where the argument takes `name=Acme`.
  const isPairs = /\w=\w/.test(description) && Object.values(value).every(isPlain);
  return isPairs ? Object.entries(value).map(([name, each]) => `${name}=${each}`) : [value];
}

function parsedList(text: string): unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) && value.every(isPlain) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isPlain(value: unknown): value is string | number | boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}

function correctOne({ type, choices, rules }: ArgumentSpec, value: unknown, mayClamp: boolean): unknown {
  if (choices) return isPlain(value) ? (choiceMeant(String(value), choices) ?? value) : value;
  if (type === "string")
    return typeof value === "number" || typeof value === "boolean" ? String(value) : value;
  if (type === "boolean") return booleans.get(String(value).toLowerCase()) ?? value;
  const number = typeof value === "string" && /^\s*-?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value;
  if (!mayClamp || typeof number !== "number") return number;
  return Math.min(Math.max(number, rules.minimum ?? number), rules.maximum ?? number);
}

const booleans = new Map<string, boolean>([
  ["true", true],
  ["yes", true],
  ["false", false],
  ["no", false],
]);

/** What others call a choice of ours; never one that gives more than was said. */
const choiceWords = new Map(
  Object.entries({
    directory: "folder",
    dir: "folder",
    document: "file",
    read: "viewer",
    reader: "viewer",
    write: "editor",
    writer: "editor",
    true: "on",
    enabled: "on",
    false: "off",
    disabled: "off",
  }),
);

function choiceMeant(typed: string, choices: readonly string[]): string | undefined {
  const same = choices.filter((choice) => letters(choice) === letters(typed));
  if (same.length > 0) return same.length === 1 ? same[0] : undefined;
  const called = choiceWords.get(letters(typed));
  if (called !== undefined && choices.includes(called)) return called;
  const near = suggest(
    typed,
    choices.map((choice) => choice.toLowerCase()),
  );
  return choices.find((choice) => choice.toLowerCase() === near);
}
