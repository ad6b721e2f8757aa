import { renderTable } from "@svc/rendering/render-table";

/** A file in `tools/benches` exports this as its default. */
export interface Bench {
  /** One line: what holds if the bars are reached. */
  summary: string;
  run(): Promise<Report>;
}

export interface Report {
  tables: Table[];
  /** Anything that helps to understand the figures: a query plan, a statement. */
  notes?: string[];
  bars: Bar[];
}

export interface Table {
  title: string;
  rows: Record<string, string | number>[];
}

export interface Bar {
  name: string;
  value: number;
  bar: number;
  ok: boolean;
}

export function atLeast(name: string, value: number, bar: number): Bar {
  return { name: `${name}, at least`, value: round(value), bar, ok: value >= bar };
}

export function atMost(name: string, value: number, bar: number): Bar {
  return { name: `${name}, at most`, value: round(value), bar, ok: value <= bar };
}

export function isPassed({ bars }: Report): boolean {
  return bars.every(({ ok }) => ok);
}

/** What was measured, without a verdict. */
export function figuresText({ tables, notes = [] }: Report): string {
  return [...tables.map(tableText), ...notes].join("\n\n");
}

export function barsText({ bars }: Report): string {
  const verdicts = bars.map(({ ok, ...bar }) => ({ ...bar, "": ok ? "reached" : "MISSED" }));
  return tableText({ title: "Bars", rows: verdicts });
}

function tableText({ title, rows }: Table): string {
  const columns = Object.keys(rows[0] ?? {}).map((field) => ({
    field,
    label: field,
    align: typeof rows[0]?.[field] === "number" ? ("right" as const) : ("left" as const),
    priority: 0,
  }));
  const shown = rows.map((row) => Object.fromEntries(Object.entries(row).map(toCell)));
  return `${title}\n${renderTable(shown, columns, undefined)}`;
}

function toCell([field, value]: [string, string | number]): [string, string] {
  return [field, typeof value === "number" ? String(round(value)) : value];
}

/** Two cores shared with others cannot reproduce more than three digits. */
function round(value: number): number {
  return Number(value.toPrecision(3));
}
