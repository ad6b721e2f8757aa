import { decodeId } from "@svc/protocol/typed-id";
import { type RawBuilder, sql } from "kysely";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { type Collection, type Field, findField, unknownField } from "../collections/collections.ts";
import { lookUp } from "./record-draft.ts";
import { readValue, type Value, WrongValue } from "./record-value.ts";

const operators = { "=": "=", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">=", "~": "~" } as const;
type Operator = keyof typeof operators;

/** `revenue>=1000` as SQL, or why it is not valid. */
export async function readFilter(
  context: CommandContext,
  { fields }: Collection,
  typed: string,
): Promise<RawBuilder<boolean> | WrongValue> {
  const match = /^([^=!<>~]+)(!=|<=|>=|=|<|>|~)(.*)$/s.exec(typed);
  if (!match) return new WrongValue("must have the form <field>=<value>, with one of = != < <= > >= ~");
  const [, name, operator, text] = match as unknown as [string, string, Operator, string];
  const field = findField(fields, name);
  if (!field) return new WrongValue(`\`${name}\`: ${unknownField(fields, name)}`);
  if (!operatorsOf(field).includes(operator)) {
    return new WrongValue(`${operator} does not work with \`${field.name}\`, which is a ${field.type}`);
  }
  if (operator === "~") return sql<boolean>`strpos(lower(${rawText(field)}), lower(${text}::text)) > 0`;
  const read = readValue(field, text);
  const value = field.type === "person" && typeof read === "string" ? await personOf(context, read) : read;
  if (value instanceof WrongValue) return new WrongValue(`\`${field.name}\` ${value.message}`);
  return compare(field, operator, value);
}

/** An id is compared literally: a visible record may name somebody the caller does not know otherwise. */
function personOf(context: CommandContext, typed: string): string | Promise<string | WrongValue> {
  return decodeId(typed, "user", "service", "ai", "group") ?? lookUp(context, typed);
}

function operatorsOf({ type }: Field): readonly Operator[] {
  switch (type) {
    case "text":
      return ["=", "!=", "<", "<=", ">", ">=", "~"];
    case "number":
    case "date":
      return ["=", "!=", "<", "<=", ">", ">="];
    case "choice":
      return ["=", "!=", "~"];
    case "boolean":
    case "link":
    case "person":
      return ["=", "!="];
  }
}

function compare(field: Field, operator: Operator, value: Value): RawBuilder<boolean> | WrongValue {
  const left = comparable(field);
  // `status=` matches records without a status, and `status!=active` includes them.
  if (value === null && operator === "=") return sql<boolean>`${rawText(field)} is null`;
  if (value === null && operator === "!=") return sql<boolean>`${rawText(field)} is not null`;
  if (value === null) return new WrongValue(`\`${field.name}\` cannot be compared with an empty value`);
  const right = sql`${String(value)}::${sql.raw(field.type === "number" ? "numeric" : "text")}`;
  if (operator === "!=") return sql<boolean>`${left} is distinct from ${right}`;
  return sql<boolean>`${left} ${sql.raw(operators[operator])} ${right}`;
}

export function rawText({ key }: Field): RawBuilder<string> {
  return sql<string>`(record.fields ->> ${key}::text)`;
}

/** Casts cannot fail, because a key belongs to one field of one collection, whose type never changes. */
export function comparable(field: Field): RawBuilder<unknown> {
  if (field.type === "number") return sql`${rawText(field)}::numeric`;
  // "unicode" is the order of PostgreSQL's ICU root: words as people sort them, not bytes.
  return field.type === "text" || field.type === "choice"
    ? sql`${rawText(field)} collate "unicode"`
    : sql`${rawText(field)} collate "C"`;
}
