import { Failure } from "@svc/machine/failure";
import type { Column, ResultAnswer } from "@svc/protocol/exchange";
import { renderTable } from "@svc/rendering/render-table";
import { toTsv } from "@svc/rendering/render-tsv";
import { safeJson } from "@svc/rendering/safe-json";
import type { RenderingFlags } from "./rendering-flags.ts";
import { isRow, selectFields } from "./select-fields.ts";

type Row = Record<string, unknown>;

/**
 * Data in the requested format, each line with its line end: the last row may be empty, and counts. A list has
 * its rows in `items`; everything else is one row.
 */
export function renderResult(
  answer: ResultAnswer,
  { fields, format = fields ? "table" : "json" }: RenderingFlags,
  terminalColumns: number | undefined,
): string {
  const data = dataOf(answer, format);
  const rows = rowsOf(data);
  const chosen = fields === undefined ? undefined : selectFields(rows.items, fields);
  if (format === "json") return `${safeJson(chosen === undefined ? data : rows.replace(chosen))}\n`;
  const items = chosen ?? rows.items;
  if (items.length === 0) return "";
  const declared = rows.isList ? answer.columns : undefined;
  const columns = fields?.map(plainColumn) ?? declared ?? namesOf(items).map(plainColumn);
  if (format === "tsv") return `${toTsv(items, columns)}\n`;
  if (rows.isList) return `${renderTable(items, columns, terminalColumns)}\n`;
  const fieldByField = renderTable(
    columns.map(({ field }) => ({ field, value: items[0]?.[field] })),
    [plainColumn("field"), plainColumn("value")],
    undefined,
  );
  return `${fieldByField}\n`;
}

/** In JSON a write names its operation, a preview has the result that it would have, and labels are for agents. */
function dataOf({ data, preview, operation }: ResultAnswer, format: string): unknown {
  const { untrusted: _, ...values } = Object(data) as Row;
  if (format !== "json") return preview ? { preview } : isRow(data) ? values : data;
  if (preview === undefined && operation === undefined) return data;
  return { ...(isRow(data) ? data : {}), ...(preview ? { preview } : { operation }) };
}

/** The rows of any data, and how to put the selected rows back into it. */
export function rowsOf(data: unknown): { items: Row[]; isList: boolean; replace(rows: Row[]): unknown } {
  const list = isRow(data) && Array.isArray(data.items) ? data.items : Array.isArray(data) ? data : undefined;
  if (list) {
    const items = list.map((item) => (isRow(item) ? item : { value: item }));
    return { items, isList: true, replace: (rows) => (isRow(data) ? { ...data, items: rows } : rows) };
  }
  if (!isRow(data)) {
    if (data === undefined)
      throw new Failure("usage", "This command has no data to show.", {
        hint: "Leave out --format and --fields.",
      });
    return { items: [{ value: data }], isList: false, replace: ([row]) => row };
  }
  return { items: [data], isList: false, replace: ([row]) => ({ ...row, untrusted: data.untrusted }) };
}

export function namesOf(rows: readonly Row[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))];
}

export function plainColumn(field: string): Column {
  return { field, label: field, align: "left", priority: 0 };
}
