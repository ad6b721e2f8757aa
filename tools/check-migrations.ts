import { migrationsFolder, readMigrations } from "@svc/database/migrations";
import { findMigrationProblems } from "./migrations/find-migration-problems.ts";

/** Older ones were applied before there was this check, and an applied migration must not change. */
const first = "0023";

const migrations = await readMigrations(migrationsFolder);
const problems = findMigrationProblems(migrationsFolder, migrations, first);
for (const problem of problems) console.error(problem);
const checked = migrations.filter(({ name }) => name >= first);
console.log(`${checked.length} migrations from ${first} on checked, ${problems.length} problems`);
if (problems.length > 0) process.exitCode = 1;
