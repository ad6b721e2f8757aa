import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const migrationsFolder = fileURLToPath(new URL("../migrations", import.meta.url));

export interface Migration {
  name: string;
  sql: string;
  digest: string;
  /**
   * First line `-- outside transaction`: for CREATE INDEX CONCURRENTLY and similar statements. Must be safe to repeat.
   */
  outsideTransaction: boolean;
  /**
   * A line `-- contract after 0024: why`: it takes something away, and only processes that know migration 0024 can work
   * without it. Null: processes of any version can.
   */
  contractAfter: string | null;
}

/** Applied before there were marks, and an applied file must not change. */
const contractsWithoutMark: Readonly<Record<string, string>> = { "0022_all_who_changed_a_part.sql": "0022" };

export async function readMigrations(folder: string): Promise<Migration[]> {
  return Promise.all((await migrationNames(folder)).map((name) => readMigration(folder, name)));
}

export async function migrationNames(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
}

async function readMigration(folder: string, name: string): Promise<Migration> {
  const sql = await readFile(join(folder, name), "utf8");
  return {
    name,
    sql,
    digest: createHash("sha256").update(sql).digest("hex"),
    outsideTransaction: /^-- outside transaction\b/.test(sql),
    contractAfter: /^-- contract after (\d{4}): /m.exec(sql)?.[1] ?? contractsWithoutMark[name] ?? null,
  };
}
