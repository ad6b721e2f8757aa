import type { Column } from "@svc/protocol/exchange";
import { toTerminalLine } from "@svc/protocol/terminal-text";
import stringWidth from "string-width";

const gap = "  ";

/**
 * Plain columns, measured by display width. Where the terminal is too narrow the columns of the lowest priority
 * go first, and a last line names them; without a width nothing is dropped.
 */
export function renderTable(
  rows: readonly Record<string, unknown>[],
  columns: readonly Column[],
  terminalColumns: number | undefined,
): string {
  const cells = new Map(columns.map((column) => [column, rows.map((row) => toCell(row[column.field]))]));
  const widths = new Map(
    [...cells].map(([column, texts]) => [column, widest([column.label.toUpperCase(), ...texts])]),
  );
  const shown = fit(columns, widths, terminalColumns);
  const line = (texts: readonly string[]) =>
    shown
      .map((column, index) => pad(texts[index] ?? "", widths.get(column) ?? 0, column.align))
      .join(gap)
      .trimEnd();
  const lines = [line(shown.map((column) => column.label.toUpperCase()))];
  rows.forEach((_, index) => {
    lines.push(line(shown.map((column) => cells.get(column)?.[index] ?? "")));
  });
  const dropped = columns.filter((column) => !shown.includes(column)).map((column) => column.label);
  if (dropped.length > 0) lines.push(`(not shown, terminal too narrow: ${dropped.join(", ")})`);
  return lines.join("\n");
}

function fit(
  columns: readonly Column[],
  widths: ReadonlyMap<Column, number>,
  terminalColumns = Number.POSITIVE_INFINITY,
): Column[] {
  const shown = [...columns];
  const total = () =>
    shown.reduce((sum, column) => sum + (widths.get(column) ?? 0), 0) + gap.length * (shown.length - 1);
  while (shown.length > 1 && total() > terminalColumns) {
    const lowest = Math.min(...shown.map((column) => column.priority));
    shown.splice(
      shown.findLastIndex((column) => column.priority === lowest),
      1,
    );
  }
  return shown;
}

/** No `Math.max(...texts)`: a long list is more than a call can take as arguments. */
function widest(texts: readonly string[]): number {
  return texts.reduce((width, text) => Math.max(width, stringWidth(text)), 0);
}

function pad(text: string, width: number, align: Column["align"]): string {
  const space = " ".repeat(Math.max(0, width - stringWidth(text)));
  return align === "right" ? space + text : text + space;
}

function toCell(value: unknown): string {
  if (value === undefined || value === null || value === "") return "-";
  if (Array.isArray(value)) return value.length === 0 ? "-" : value.map(toCell).join(", ");
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  // People read minutes; whoever needs more takes the data.
  return toTerminalLine(text.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(\.\d+)?Z$/, "$1 $2Z"));
}
