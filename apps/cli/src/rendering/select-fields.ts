import { Failure } from "@svc/machine/failure";

type Row = Record<string, unknown>;

/** `a` or `b.c` of each row. A name that no row has is an error, which lists the existing names. */
export function selectFields(
  rows: readonly Row[],
  fields: readonly string[],
  { isChecked = true } = {},
): Row[] {
  const names = isChecked ? knownFields(rows) : new Set(fields);
  const unknown = fields.filter((field) => !names.has(field));
  if (rows.length > 0 && unknown.length > 0) {
    throw new Failure("usage", `There is no field \`${unknown.join("`, `")}\` in the result.`, {
      hint: `There are: ${[...names].join(", ")}`,
    });
  }
  return rows.map((row) => Object.fromEntries(fields.map((field) => [field, fieldOf(row, field)])));
}

function fieldOf(row: Row, field: string): unknown {
  if (Object.hasOwn(row, field)) return row[field];
  return field
    .split(".")
    .reduce<unknown>(
      (value, part) => (isRow(value) && Object.hasOwn(value, part) ? value[part] : undefined),
      row,
    );
}

function knownFields(rows: readonly Row[], prefix = "", names = new Set<string>()): Set<string> {
  for (const row of rows) {
    for (const [name, value] of Object.entries(row)) {
      names.add(`${prefix}${name}`);
      if (isRow(value)) knownFields([value], `${prefix}${name}.`, names);
    }
  }
  return names;
}

export function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
