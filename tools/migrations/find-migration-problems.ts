import type { Migration } from "@svc/database/migrations";
import { lintMigrations } from "./lint-migrations.ts";

/**
 * Why these migrations should not run while people work: statements that lock a table for long, and changes that processes
 * of the version before cannot live with. `checked` are those from `first` on; the others may be named by a contract.
 */
export function findMigrationProblems(
  folder: string,
  migrations: readonly Migration[],
  first: string,
): string[] {
  const checked = migrations.filter(({ name }) => name >= first);
  return [
    ...checked.flatMap((migration) => [
      ...findSharedNumber(migration, migrations),
      ...findContractProblems(migration, migrations),
      ...findRepeatProblems(migration),
    ]),
    ...lintMigrations(folder, checked),
  ].sort();
}

function findSharedNumber({ name }: Migration, migrations: readonly Migration[]): string[] {
  const twin = migrations.find((other) => other.name < name && number(other.name) === number(name));
  return twin ? [`${name}: ${twin.name} has the same number. Take the next free one.`] : [];
}

/** What takes something away, also inside a string that is executed. */
const takesAway = /\b(drop|rename|truncate)\b/i;

function findContractProblems(migration: Migration, migrations: readonly Migration[]): string[] {
  const { name, sql, contractAfter } = migration;
  if (contractAfter === null) {
    if (/^--\s*contract\b/im.test(sql)) {
      return [`${name}: write the mark as \`-- contract after NNNN: why\`, with the number of a migration.`];
    }
    const [taken] = takesAway.exec(withoutComments(sql)) ?? [];
    if (taken === undefined) return [];
    return [
      `${name}: ${taken.toLowerCase()} takes something away that running processes may use. First release code that does not use it; then mark this file with \`-- contract after NNNN: why\`, where NNNN is the newest migration which that code knew.`,
    ];
  }
  const isKnown = migrations.some((other) => other.name <= name && number(other.name) === contractAfter);
  return isKnown
    ? []
    : [`${name}: the contract names ${contractAfter}, which is not this migration or one before it.`];
}

/** A file outside a transaction is run again after it failed halfway, or succeeded without being recorded. */
function findRepeatProblems({ name, sql, outsideTransaction }: Migration): string[] {
  if (!outsideTransaction) return [];
  const statements = withoutComments(sql)
    .split(";")
    .filter((statement) => statement.trim() !== "");
  const repeatable = /\bconcurrently\s+if\s+(not\s+)?exists\b|^\s*call\s/i;
  const isRepeatable = statements.length === 1 && repeatable.test(statements[0] ?? "");
  return isRepeatable
    ? []
    : [
        `${name}: outside a transaction, write one statement with \`concurrently if [not] exists\`, or the call of a procedure that can be repeated.`,
      ];
}

function withoutComments(sql: string): string {
  return sql.replaceAll(/--.*$/gm, "").replaceAll(/\/\*.*?\*\//gs, "");
}

function number(name: string): string {
  return name.slice(0, 4);
}
