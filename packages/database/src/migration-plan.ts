import type { Migration } from "./migrations.ts";

/** What a person wants to know before these migrations are applied. */
export function describePlan(migrations: readonly Migration[]): string {
  if (migrations.length === 0) return "nothing to migrate";
  return [
    `to apply: ${migrations.length}`,
    ...migrations.map((migration) => `  ${describe(migration)}`),
  ].join("\n");
}

function describe({ name, outsideTransaction, contractAfter }: Migration): string {
  const notes = [
    ...(outsideTransaction ? ["outside a transaction"] : []),
    ...(contractAfter ? [`first stop processes that do not know ${contractAfter}`] : []),
  ];
  return [name, ...notes].join(", ");
}
