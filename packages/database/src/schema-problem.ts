import { sql } from "kysely";
import pg from "pg";
import type { Database } from "./database.ts";
import { migrationNames, migrationsFolder } from "./migrations.ts";

export interface SchemaProblem {
  reason: "schema_too_old" | "schema_too_new";
  message: string;
}

/** What this process was written for. Read at the start: an update can replace the folder while the process runs. */
const ownMigrations = await migrationNames(migrationsFolder);

/** Without the table, its columns or the right to read them: the database was never migrated by a version like this. */
const notMigrated = new Set(["42P01", "42703", "42501"]);

/**
 * Why this process should not work with the database as it is migrated now. A database that is ahead is fine, unless a
 * migration took something away that this process needs (`-- contract after`).
 */
export async function findSchemaProblem(
  database: Pick<Database, "withDirectory">,
  known: readonly string[] = ownMigrations,
): Promise<SchemaProblem | undefined> {
  const applied = await readApplied(database);
  const appliedNames = new Set(applied.map(({ name }) => name));
  const missing = known.find((name) => !appliedNames.has(name));
  if (missing !== undefined) {
    return { reason: "schema_too_old", message: `The database lacks ${missing}. Run migrate.` };
  }
  const newest = known.at(-1) ?? "";
  const unbearable = applied.find(({ contract_after }) => contract_after !== null && contract_after > newest);
  if (unbearable) {
    return {
      reason: "schema_too_new",
      message: `The database has ${unbearable.name}, which needs processes that know migration ${unbearable.contract_after}. Update this process.`,
    };
  }
  return undefined;
}

async function readApplied(
  database: Pick<Database, "withDirectory">,
): Promise<{ name: string; contract_after: string | null }[]> {
  try {
    const { rows } = await database.withDirectory((db) =>
      sql<{ name: string; contract_after: string | null }>`
        select name, contract_after from public.svc_migration order by name`.execute(db),
    );
    return rows;
  } catch (error) {
    if (error instanceof pg.DatabaseError && notMigrated.has(error.code ?? "")) return [];
    throw error;
  }
}
