import type { Run } from "@svc/protocol/styles";
import { grouped } from "@svc/rendering/counted";
import { layOutTable, type Row, type TableColumn } from "@svc/rendering/render-table";
import { joinLines, textOf } from "@svc/rendering/styled-text";
import { toTerminalLine } from "@svc/rendering/terminal-text";
import { bytesIn, timeIn, type View } from "@svc/rendering/view";
import { wrapText } from "@svc/rendering/wrap-text";
import type { ColumnKind, ColumnOptions } from "./command.ts";

/** Ids are long and nobody reads them: they need room that nothing else wants. */
const idColumns = 120;

interface ShownTable {
  rows: readonly Row[];
  columns: readonly ColumnOptions[];
  summary: string | undefined;
}

/** A table for people: local times, readable sizes, no empty columns, long cells cut; a last line says what is missing. */
export function terminalTable({ rows, columns, summary }: ShownTable, view: View): Run[] {
  const shown = terminalColumns(columns, view).filter(({ cell }) =>
    rows.some((row) => textOf(cell(row)) !== ""),
  );
  const { heading, lines, dropped } = layOutTable(rows, shown, { columns: view.columns, cuts: true });
  const last = [...(summary === undefined ? [] : [toTerminalLine(summary)]), ...missing(dropped)].join(" · ");
  return joinLines([
    heading,
    ...lines,
    ...(last === "" ? [] : [wrapText(last, view.columns ?? last.length)]),
  ]);
}

/** The columns that a terminal of this width shows. */
export function terminalColumns(columns: readonly ColumnOptions[], view: View): CellColumn[] {
  const { columns: width = Number.POSITIVE_INFINITY } = view;
  return columns
    .filter(({ as }) => as !== "piped" && (as !== "id" || width >= idColumns))
    .map((column) => toTableColumn(column, view));
}

type CellColumn = TableColumn & Required<Pick<TableColumn, "cell">>;

/** What there was no room for. */
export function missing(dropped: readonly string[]): string[] {
  return dropped.length === 0 ? [] : [`also: ${dropped.map((label) => label.toLowerCase()).join(", ")}`];
}

function toTableColumn({ as, cell, ...column }: ColumnOptions, view: View): CellColumn {
  const show = as === undefined || as === "piped" ? plainly : shows[as];
  const isNumber = as === "bytes" || as === "count";
  return {
    align: isNumber ? "right" : "left",
    priority: 0,
    ...column,
    isWhole: as !== undefined,
    cell: cell ?? ((row) => show(row[column.field], view)),
  };
}

const shows: Record<Exclude<ColumnKind, "piped">, (value: unknown, view: View) => string> = {
  time: (value, view) => (typeof value === "string" ? timeIn(view, value) : ""),
  bytes: (value, view) => (typeof value === "number" ? bytesIn(view, value) : ""),
  count: (value) => (typeof value === "number" ? grouped(value) : plainly(value)),
  id: (value) => plainly(value),
};

function plainly(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.map(plainly).join(", ");
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
