import { renderTable } from "@svc/rendering/render-table";
import type { PartRow } from "./night-log.ts";

const columns = (["part", "size", "passed", "failed", "seconds", "seed"] as const).map((field) => ({
  field,
  label: field,
  align: ["passed", "failed", "seconds"].includes(field) ? ("right" as const) : ("left" as const),
  priority: 0,
}));

/** A row for each part; below, the line that repeats each failure, and the figures beside those of the night before. */
export function nightTable(
  rows: readonly PartRow[],
  before: (row: PartRow) => PartRow | undefined = () => undefined,
): string {
  const shown = rows.map((row) =>
    Object.fromEntries(columns.map(({ field }) => [field, String(row[field])] as const)),
  );
  const failures = rows.flatMap(({ failures: lines }) => lines);
  const bars = rows.flatMap((row) => barsOf(row, before(row)));
  return [
    renderTable(shown, columns, undefined),
    ...(bars.length === 0 ? [] : ["\nFigures, and those of the night before:", ...bars]),
    ...(failures.length === 0 ? [] : ["\nTo repeat a failure:", ...failures]),
  ].join("\n");
}

interface Figures {
  bars?: { name: string; value: number; bar: number }[];
}

function barsOf(row: PartRow, earlier: PartRow | undefined): string[] {
  const valuesBefore = new Map(allBars(earlier).map(({ name, value }) => [name, value]));
  return allBars(row).map(({ name, value, bar }) => {
    const valueBefore = valuesBefore.get(name);
    const difference = valueBefore === undefined ? "" : `, before ${valueBefore}`;
    return `${row.part}: ${name} ${bar}: ${value}${difference}`;
  });
}

function allBars(row: PartRow | undefined) {
  return (row?.figures ?? []).flatMap((figures) => (figures as Figures).bars ?? []);
}
