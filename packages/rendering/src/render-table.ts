import type { Column } from "@svc/protocol/exchange";
import type { Run } from "@svc/protocol/styles";
import { joinLines, plainText, type Text, textOf } from "./styled-text.ts";
import { toTerminalLine } from "./terminal-text.ts";
import { cutTo, isPlain, widthOf } from "./width.ts";

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

/** Harmless, one line, and measured once: the width of text that is not plain ASCII takes a segmenter. */
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
  /** By column, those of the first page of the same table; 0 if it is not shown. */
  widths?: readonly number[] | undefined;
}

export interface Table {
  heading: Text;
  lines: Text[];
  /** By column; 0 if it is not shown. */
  widths: number[];
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
  { columns: terminalColumns = Number.POSITIVE_INFINITY, cuts = false, widths }: Room,
): Table {
  const all = columns.map((column): Shown => {
    const heading = toCell(["head", column.label.toUpperCase()]);
    const cells = rows.map((row) => toCell(column.cell ? column.cell(row) : toText(row[column.field])));
    const width = cells.reduce((widest, cell) => Math.max(widest, cell.width), heading.width);
    const least = cuts && !column.isWhole ? Math.min(width, Math.max(leastCut, heading.width)) : width;
    return { column, heading, cells, width, least };
  });
  const shown = widths ? asBefore(all, widths) : fit(all, terminalColumns, cuts);
  const isPiped = terminalColumns === Number.POSITIVE_INFINITY;
  const widthOfColumn = (column: TableColumn) => shown.find((part) => part.column === column)?.width ?? 0;
  return {
    heading: layOutLine(shown, ({ heading }) => heading, isPiped),
    lines: rows.map((_, index) => layOutLine(shown, ({ cells }) => cells[index], isPiped)),
    widths: columns.map(widthOfColumn),
    dropped: columns
      .filter((column) => widthOfColumn(column) === 0)
      .map(({ label }) => toTerminalLine(label)),
  };
}

/** For `--format table`: plain, never cut; a last line names what is not shown. */
export function renderTable(
  rows: readonly Row[],
  columns: readonly TableColumn[],
  terminalColumns: number | undefined,
): string {
  const { heading, lines, dropped } = layOutTable(rows, columns, { columns: terminalColumns });
  return plainText(joinLines([heading, ...lines, ...(dropped.length === 0 ? [] : [notShown(dropped)])]));
}

export function notShown(dropped: readonly string[]): string {
  return `(not shown, terminal too narrow: ${dropped.join(", ")})`;
}

/** In a pipe a wider cell stays whole: there, nothing needs to be aligned at any price. */
function asBefore(all: readonly Shown[], widths: readonly number[]): Shown[] {
  return all.flatMap((part, index) => (widths[index] ? [{ ...part, width: widths[index] }] : []));
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
  let limit = Math.min(room, Math.max(...shown.map(({ width }) => width), 0));
  while (sum(limitedTo(limit)) > room && limit > 0) limit -= 1;
  return shown.map((part, index) => ({ ...part, width: limitedTo(limit)[index] ?? part.width }));
}

function toCell(run: Run): Cell {
  const text = textOf(run);
  if (isPlain(text)) return { run, width: text.length };
  const line = toTerminalLine(text);
  return { run: typeof run === "string" ? line : [run[0], line], width: widthOf(line) };
}

/**
 * One string unless a cell has a style: with a run for each cell and gap, a list took four times as long to lay out.
 */
function layOutLine(
  shown: readonly Shown[],
  cellOf: (part: Shown) => Cell | undefined,
  isPiped: boolean,
): Text {
  const runs: Run[] = [];
  let plain = "";
  for (const part of shown) {
    const { run, width } = fitted(cellOf(part), part.width, isPiped);
    const space = " ".repeat(Math.max(0, part.width - width));
    if (part !== shown[0]) plain += gap;
    if (part.column.align === "right") plain += space;
    if (typeof run === "string") {
      plain += run;
    } else {
      if (plain !== "") runs.push(plain);
      runs.push(run);
      plain = "";
    }
    if (part.column.align !== "right") plain += space;
  }
  if (runs.length === 0) return plain.trimEnd();
  return trimEnd([...runs, plain]);
}

function fitted(cell = toCell(""), width: number, isPiped: boolean): Cell {
  return cell.width > width && !isPiped ? cut(cell, width) : cell;
}

function cut({ run }: Cell, width: number): Cell {
  const text = textOf(run);
  const shortened = cutTo(text, width);
  return {
    run: typeof run === "string" ? shortened : [run[0], shortened],
    // Only the `…` is not plain then, and it is one cell wide.
    width: isPlain(text) ? shortened.length : widthOf(shortened),
  };
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
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
