import type { Report } from "./report.ts";

/** Why a report cannot be used: a table is empty, or a figure is not a finite number. One sentence each. */
export function missingFigures({ tables, bars }: Report): string[] {
  if (tables.length === 0) return ["There is no table."];
  const empty = tables
    .filter(({ rows }) => !rows.some((row) => Object.values(row).some((cell) => typeof cell === "number")))
    .map(({ title }) => `The table "${title}" has no figures.`);
  const cells = tables.flatMap(({ title, rows }) =>
    rows.flatMap((row) =>
      Object.entries(row).map(([column, value]) => ({ name: `"${column}" in the table "${title}"`, value })),
    ),
  );
  const figures = [...cells, ...bars.map(({ name, value }) => ({ name: `The bar "${name}"`, value }))];
  const broken = figures
    .filter(({ value }) => typeof value === "number" && !Number.isFinite(value))
    .map(({ name, value }) => `${name} is ${value}.`);
  return [...empty, ...broken];
}
