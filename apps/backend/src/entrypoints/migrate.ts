import { parseArgs } from "node:util";
import { MigrationFailure, migrate, planMigrations } from "@svc/database/migrate";
import { describePlan } from "@svc/database/migration-plan";
import { MigrationMismatch } from "@svc/database/migration-record";
import { readMigrateConfig, readOrExit } from "../platform/process/config.ts";

const { adminUrl, patienceMillis } = readOrExit(readMigrateConfig);
const print = (line: string) => process.stdout.write(`${line}\n`);

/** `--plan` prints what would be applied, and changes nothing. */
try {
  const { values } = parseArgs({ options: { plan: { type: "boolean", default: false } } });
  print(describePlan(await planMigrations(adminUrl)));
  if (!values.plan) await migrate(adminUrl, { patienceMillis, report: print });
} catch (error) {
  if (!isExpected(error)) throw error;
  process.stderr.write(`${error.message || error.code}\n`);
  process.exitCode = 1;
}

/** Errors with a code come from the command line, the network or PostgreSQL: a stack would not help. */
function isExpected(error: unknown): error is Error & { code?: string } {
  if (error instanceof MigrationMismatch || error instanceof MigrationFailure) return true;
  return error instanceof Error && "code" in error;
}
