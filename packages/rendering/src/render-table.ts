import type { Column } from "@svc/protocol/exchange";
import stringWidth from "string-width";
import { toTerminalLine } from "./terminal-text.ts";

const gap = "  ";

/** Measured once: the width of text that is not plain ASCII takes a segmenter. */
interface Cell {
  text: string;
  width: number;
}

interface Shown {
  column: Column;
  heading: Cell;
  cells: readonly Cell[];
  width: number;
}

/**
 * Plain columns, measured by display width. If the terminal is too narrow, the columns with the lowest priority are
 * dropped first, and a last line names them; without a width nothing is dropped.
 */
export function renderTable(
  rows: readonly Record<string, unknown>[],
  columns: readonly Column[],
  terminalColumns: number | undefined,
): string {
  const all = columns.map((column): Shown => {
    const heading = measure(toTerminalLine(column.label.toUpperCase()));
    const cells = rows.map((row) => measure(toText(row[column.field])));
    const width = cells.reduce((widest, cell) => Math.max(widest, cell.width), heading.width);
    return { column, heading, cells, width };
  });
  const shown = fit(all, terminalColumns);
  const line = (cellOf: (part: Shown) => Cell | undefined) =>
    shown
      .map((part) => pad(cellOf(part), part))
      .join(gap)
      .trimEnd();
  const lines = [line(({ heading }) => heading)];
  for (let index = 0; index < rows.length; index += 1) lines.push(line(({ cells }) => cells[index]));
  const dropped = all
    .filter((part) => !shown.includes(part))
    .map(({ column }) => toTerminalLine(column.label));
  if (dropped.length > 0) lines.push(`(not shown, terminal too narrow: ${dropped.join(", ")})`);
  return lines.join("\n");
}

function fit(all: readonly Shown[], terminalColumns = Number.POSITIVE_INFINITY): Shown[] {
  const shown = [...all];
  const total = () => shown.reduce((sum, { width }) => sum + width, 0) + gap.length * (shown.length - 1);
  while (shown.length > 1 && total() > terminalColumns) {
    const lowest = Math.min(...shown.map(({ column }) => column.priority));
    shown.splice(
      shown.findLastIndex(({ column }) => column.priority === lowest),
      1,
    );
  }
  return shown;
}

function measure(text: string): Cell {
  return { text, width: isPlain.test(text) ? text.length : stringWidth(text) };
}

const isPlain = /^[ -~]*$/;

function pad(cell: Cell | undefined, { width, column }: Shown): string {
  const { text, width: own } = cell ?? { text: "", width: 0 };
  const space = " ".repeat(width - own);
  return column.align === "right" ? space + text : text + space;
}

function toText(value: unknown): string {
  if (value === undefined || value === null || value === "") return "-";
  if (Array.isArray(value)) return value.length === 0 ? "-" : value.map(toText).join(", ");
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  // People read minutes; programs that need more use the data.
  return toTerminalLine(text.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(\.\d+)?Z$/, "$1 $2Z"));
}
