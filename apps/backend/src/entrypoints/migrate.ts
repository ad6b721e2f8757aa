import { parseArgs } from "node:util";
import { MigrationFailure, migrate, planMigrations } from "@svc/database/migrate";
import { describePlan } from "@svc/database/migration-plan";
import { MigrationMismatch } from "@svc/database/migration-record";
import { readMigrateConfig, readOrExit } from "../platform/process/config.ts";

/** `--plan` prints what would be applied, and changes nothing. */
const { values } = parseArgs({ options: { plan: { type: "boolean", default: false } } });
const { adminUrl, patienceMillis } = readOrExit(readMigrateConfig);
const print = (line: string) => process.stdout.write(`${line}\n`);

try {
  const plan = await planMigrations(adminUrl);
  print(describePlan(plan));
  if (!values.plan) await migrate(adminUrl, { patienceMillis, report: print });
} catch (error) {
  if (!(error instanceof MigrationMismatch || error instanceof MigrationFailure)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
