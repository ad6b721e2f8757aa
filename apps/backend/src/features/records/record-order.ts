import { ProblemError } from "@svc/protocol/problem";
import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import { readJsonCursor, writeJsonCursor } from "../../platform/cursors/json-cursor.ts";
import { type Collection, findField, unknownField } from "../collections/collections.ts";
import { comparable, rawText } from "./record-filter.ts";
import { WrongValue } from "./record-value.ts";
import type { RecordRow } from "./records-store.ts";

/** One sort key. A cursor remembers its value in a row. */
export interface SortKey {
  expression: RawBuilder<unknown>;
  type: "text" | "numeric" | "timestamptz";
  downwards: boolean;
  valueIn(row: RecordRow): string | null;
}

export interface Order {
  keys: readonly SortKey[];
  /** Identifies the query: a cursor is valid for no other. */
  digest: string;
}

/** A cursor contains the sort values, so these are kept short. */
const sortedCharacters = 200;

const times = new Map([
  ["createdAt", { column: "record.created_at", in: (row: RecordRow) => row.createdAt }],
  ["updatedAt", { column: "record.updated_at", in: (row: RecordRow) => row.updatedAt }],
]);

/** `-revenue` as a sort key, or why it is not valid. */
export function readSort({ fields }: Collection, typed: string): SortKey | WrongValue {
  const downwards = typed.startsWith("-");
  const name = downwards ? typed.slice(1) : typed;
  const time = times.get(name);
  if (time !== undefined) {
    return {
      // A Date has milliseconds, PostgreSQL microseconds: rows must be sorted by exactly what the cursor remembers.
      expression: sql`date_trunc('milliseconds', ${sql.ref(time.column)})`,
      type: "timestamptz",
      downwards,
      valueIn: (row) => time.in(row).toISOString(),
    };
  }
  const field = findField(fields, name);
  if (!field) {
    const sortable = [...fields, { name: "createdAt" }, { name: "updatedAt" }];
    return new WrongValue(`\`${name}\`: ${unknownField(sortable, name)}`);
  }
  if (field.type === "link" || field.type === "person") {
    return new WrongValue(`\`${field.name}\` is a ${field.type}, which cannot be sorted`);
  }
  const isText = field.type === "text";
  return {
    expression: isText
      ? sql`left(${rawText(field)}, ${sql.lit(sortedCharacters)}) collate "unicode"`
      : comparable(field),
    type: field.type === "number" ? "numeric" : "text",
    downwards,
    valueIn: ({ fields: values }) => {
      const value = values[field.key] ?? null;
      if (value === null) return null;
      return isText
        ? [...String(value).slice(0, 2 * sortedCharacters)].slice(0, sortedCharacters).join("")
        : String(value);
    },
  };
}

/** The last values of a page. */
export function cursorAfter({ keys, digest }: Order, row: RecordRow): string {
  const position: z.input<typeof Position> = [digest, keys.map((key) => key.valueIn(row)), row.id];
  return writeJsonCursor(position);
}

const Position = z.tuple([
  z.string(),
  z.array(
    z
      .string()
      .refine((text) => text.isWellFormed() && !text.includes("\0"))
      .nullable(),
  ),
  z.uuid().toLowerCase(),
]);

/** Where the next page begins. Refuses a cursor that was not made for this list. */
export function afterCursor({ keys, digest }: Order, cursor: string): RawBuilder<boolean> {
  const [asked, values, id] = readJsonCursor(Position, cursor) ?? [];
  const fits = values?.length === keys.length && keys.every((key, index) => isOf(key, values[index] ?? null));
  if (asked !== digest || !values || id === undefined || !fits) {
    throw new ProblemError("usage", "This cursor belongs to another list.", {
      hint: "Use `nextCursor` of the previous page, with the same collection, filters and order.",
    });
  }
  return afterPosition(keys, values, id);
}

function isOf({ type }: SortKey, value: string | null): boolean {
  if (value === null || type === "text") return true;
  if (type === "numeric") return /^-?\d{1,20}(\.\d{1,400})?(e[+-]\d{1,3})?$/.test(value);
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value) && !Number.isNaN(Date.parse(value));
}

/** Rows after that one. Empty values come last in both directions. */
function afterPosition(
  [key, ...keys]: readonly SortKey[],
  [value = null, ...values]: readonly (string | null)[],
  id: string,
): RawBuilder<boolean> {
  if (!key) return sql<boolean>`record.id > ${id}`;
  const rest = afterPosition(keys, values, id);
  if (value === null) return sql<boolean>`(${key.expression} is null and ${rest})`;
  const reached = sql`${value}::${sql.raw(key.type)}`;
  const further = sql.raw(key.downwards ? "<" : ">");
  return sql<boolean>`(${key.expression} ${further} ${reached} or ${key.expression} is null
    or (${key.expression} = ${reached} and ${rest}))`;
}
