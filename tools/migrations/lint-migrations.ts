import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { Migration } from "@svc/database/migrations";

interface Warning {
  file: string;
  line: number;
  rule_name: string;
  message: string;
  help: string | null;
}

const exclusions = [
  // A migration runs once, as a whole; files outside a transaction have their own rule.
  "prefer-robust-stmts",
  // Versions and small counts are integers on purpose.
  "prefer-bigint-over-int",
  "prefer-bigint-over-smallint",
  // `migrate` sets both.
  "require-lock-timeout",
  "require-statement-timeout",
  // Need the mark of a contract, as every drop and rename does.
  "ban-drop-column",
  "ban-drop-table",
  "ban-drop-not-null",
  "renaming-column",
  "renaming-table",
];

/** What squawk says about statements that lock a table for long. */
export function lintMigrations(folder: string, migrations: readonly Migration[]): string[] {
  const outside = migrations.filter(({ outsideTransaction }) => outsideTransaction);
  const inside = migrations.filter(({ outsideTransaction }) => !outsideTransaction);
  return [...lint(folder, inside, ["--assume-in-transaction"]), ...lint(folder, outside, [])];
}

function lint(folder: string, migrations: readonly Migration[], options: readonly string[]): string[] {
  if (migrations.length === 0) return [];
  const settings = ["--reporter=json", "--pg-version=18.0", `--exclude=${exclusions.join()}`, ...options];
  const files = migrations.map(({ name }) => join(folder, name));
  const { stdout, stderr, error } = spawnSync("squawk", [...settings, ...files], { encoding: "utf8" });
  if (error) throw error;
  if (!stdout.startsWith("[")) throw new Error(`squawk failed: ${stderr || stdout}`);
  return (JSON.parse(stdout) as Warning[]).map(
    ({ file, line, rule_name, message, help }) =>
      `${file.slice(folder.length + 1)}:${line + 1}: ${[message, help].filter(Boolean).join(" ")} (${rule_name})`,
  );
}
