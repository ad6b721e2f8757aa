import type { Column } from "@svc/protocol/exchange";
import type { Run } from "@svc/protocol/styles";
import { joinLines, plainText, textOf } from "./styled-text.ts";
import { toTerminalLine } from "./terminal-text.ts";
import { cutTo, widthOf } from "./width.ts";

const gap = "  ";
/** A cell with fewer cells tells little: its column is dropped instead. */
const leastCut = 16;

export type Row = Record<string, unknown>;

export interface TableColumn extends Column {
  /** Other columns give way before a cell of this one is cut. */
  isWhole?: boolean;
  /** What it shows of a row, instead of its field as it is. */
  cell?: (row: Row) => Run;
}

/** Measured once: the width of text that is not plain ASCII takes a segmenter. */
interface Cell {
  run: Run;
  width: number;
}

interface Shown {
  column: TableColumn;
  heading: Cell;
  cells: readonly Cell[];
  /** As wide as its widest cell, and as narrow as it may get. */
  width: number;
  least: number;
}

export interface Room {
  columns?: number | undefined;
  /** Whether long cells may be cut before columns are dropped. */
  cuts?: boolean;
}

export interface Table {
  lines: Run[][];
  /** The labels of columns for which there was no room. */
  dropped: string[];
}

/**
 * Columns, measured by display width. If the terminal is too narrow, long cells are cut, and then the columns with the
 * lowest priority are dropped; without a width nothing is.
 */
export function layOutTable(
  rows: readonly Row[],
  columns: readonly TableColumn[],
  { columns: terminalColumns = Number.POSITIVE_INFINITY, cuts = false }: Room,
): Table {
  const all = columns.map((column): Shown => {
    const heading = measure(["head", toTerminalLine(column.label.toUpperCase())]);
    const cells = rows.map((row) =>
      measure(column.cell ? oneLine(column.cell(row)) : toText(row[column.field])),
    );
    const width = cells.reduce((widest, cell) => Math.max(widest, cell.width), heading.width);
    const least = cuts && !column.isWhole ? Math.min(width, Math.max(leastCut, heading.width)) : width;
    return { column, heading, cells, width, least };
  });
  const shown = fit(all, terminalColumns, cuts);
  const line = (cellOf: (part: Shown) => Cell | undefined) =>
    trimEnd(shown.flatMap((part, index) => [...(index === 0 ? [] : [gap]), ...pad(cellOf(part), part)]));
  return {
    lines: [line(({ heading }) => heading), ...rows.map((_, index) => line(({ cells }) => cells[index]))],
    dropped: all
      .filter(({ column }) => !shown.some((part) => part.column === column))
      .map(({ column }) => toTerminalLine(column.label)),
  };
}

/** For `--format table`, and for a pipe: plain, never cut; a last line names what is not shown. */
export function renderTable(
  rows: readonly Row[],
  columns: readonly TableColumn[],
  terminalColumns: number | undefined,
): string {
  const { lines, dropped } = layOutTable(rows, columns, { columns: terminalColumns });
  const note = dropped.length === 0 ? [] : [`(not shown, terminal too narrow: ${dropped.join(", ")})`];
  return plainText(joinLines([...lines, ...note]));
}

function fit(all: readonly Shown[], terminalColumns: number, cuts: boolean): Shown[] {
  const shown = [...all];
  const gaps = () => gap.length * (shown.length - 1);
  const total = (size: "width" | "least") => shown.reduce((sum, part) => sum + part[size], gaps());
  while (shown.length > 1 && total("least") > terminalColumns) {
    const lowest = Math.min(...shown.map(({ column }) => column.priority));
    shown.splice(
      shown.findLastIndex(({ column }) => column.priority === lowest),
      1,
    );
  }
  if (!cuts) return shown;
  const [only] = shown;
  // A wrapped line would look like two rows.
  if (only && shown.length === 1) return [{ ...only, width: Math.min(only.width, terminalColumns) }];
  return narrowed(shown, terminalColumns - gaps());
}

/** The widest cells are cut first, to one width, so that short ones stay whole. */
function narrowed(shown: readonly Shown[], room: number): Shown[] {
  const limitedTo = (limit: number) =>
    shown.map(({ width, least }) => Math.min(width, Math.max(least, limit)));
  const sum = (widths: readonly number[]) => widths.reduce((total, width) => total + width, 0);
  let limit = Math.max(...shown.map(({ width }) => width), 0);
  while (sum(limitedTo(limit)) > room && limit > 0) limit -= 1;
  return shown.map((part, index) => ({ ...part, width: limitedTo(limit)[index] ?? part.width }));
}

function measure(run: Run): Cell {
  return { run, width: widthOf(textOf(run)) };
}

function oneLine(run: Run): Run {
  return typeof run === "string" ? toTerminalLine(run) : [run[0], toTerminalLine(run[1])];
}

function pad(cell: Cell | undefined, { width, column }: Shown): Run[] {
  const { run, width: own } = cell && cell.width > width ? cut(cell, width) : (cell ?? measure(""));
  const space = " ".repeat(width - own);
  return column.align === "right" ? [space, run] : [run, space];
}

function cut({ run }: Cell, width: number): Cell {
  const text = cutTo(textOf(run), width);
  return measure(typeof run === "string" ? text : [run[0], text]);
}

function trimEnd(line: readonly Run[]): Run[] {
  const last = line.findLastIndex((run) => textOf(run).trimEnd() !== "");
  return line
    .slice(0, last + 1)
    .map((run, index) => (index === last && typeof run === "string" ? run.trimEnd() : run));
}

function toText(value: unknown): string {
  if (value === undefined || value === null || value === "") return "-";
  if (Array.isArray(value)) return value.length === 0 ? "-" : value.map(toText).join(", ");
  return toTerminalLine(typeof value === "object" ? JSON.stringify(value) : String(value));
}
