import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readMigrations } from "@svc/database/migrations";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findMigrationProblems } from "./migrations/find-migration-problems.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "svc-migrations-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function problemsOf(sql: string, others: Record<string, string> = {}): Promise<string[]> {
  const files = { "0001_old.sql": "drop table app.x;", "0024_new.sql": sql, ...others };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), `${text}\n`);
  return findMigrationProblems(folder, await readMigrations(folder), "0023");
}

const marked = "-- contract after 0001: nothing uses it any more\n";
const outside = "-- outside transaction\n";

test.for([
  ["a rename", "alter table app.node rename column name to title;", "rename takes something away"],
  ["a dropped column", "alter table app.node drop column name;", "drop takes something away"],
  ["a dropped function", "drop function app.author();", "drop takes something away"],
  [
    "what a block executes",
    "do $$ begin execute 'DROP TABLE app.node'; end $$;",
    "drop takes something away",
  ],
  [
    "a plain index",
    "create index node_by_name on app.node (tenant_id, name);",
    "require-concurrent-index-creation",
  ],
  [
    "NOT NULL without a default",
    "alter table app.node add column size int not null;",
    "adding-required-field",
  ],
  ["NOT NULL on a column", "alter table app.node alter size set not null;", "adding-not-nullable-field"],
  ["another type", "alter table app.node alter size type text;", "changing-column-type"],
  [
    "a check of all rows",
    "alter table app.node add constraint c check (size > 0);",
    "constraint-missing-not-valid",
  ],
  [
    "an index that cannot be repeated",
    `${outside}create index concurrently n on app.node (name);`,
    "write one statement with `concurrently if [not] exists`",
  ],
  ["two statements outside", `${outside}select 1; select 2;`, "write one statement"],
  ["a mark without a reason", "-- contract after 0001\ndrop table app.y;", "write the mark as"],
  [
    "a mark of a later migration",
    "-- contract after 0025: why\ndrop table app.y;",
    "names 0025, which is not this migration or one before it",
  ],
] as const)("refuses %s", async ([, sql, problem]) => {
  expect(await problemsOf(sql)).toEqual([expect.stringContaining(problem)]);
});

test("refuses a number that is taken", async () => {
  const problems = await problemsOf("select 1;", { "0024_another.sql": "select 2;" });
  expect(problems).toEqual(["0024_new.sql: 0024_another.sql has the same number. Take the next free one."]);
});

test.for([
  ["a drop that is marked", `${marked}alter table app.node drop column name;`],
  ["a migration that stops all older processes", "-- contract after 0024: why\ndrop table app.node;"],
  ["a word in a comment", "-- Nothing to drop.\nselect 1; /* rename */"],
  ["a nullable column", "alter table app.node add column size int;"],
  ["NOT NULL with a default", "alter table app.node add column size int not null default 0;"],
  [
    "a table and its index",
    "create table app.t (id uuid primary key, name text); create index n on app.t (name);",
  ],
  ["a check of new rows", "alter table app.node add constraint c check (size > 0) not valid;"],
  ["an index that blocks nobody", `${outside}create index concurrently if not exists n on app.node (name);`],
  ["a procedure that can be repeated", `${outside}call app.count_again();`],
  ["its removal", `${outside}${marked}drop index concurrently if exists app.n;`],
] as const)("accepts %s", async ([, sql]) => {
  expect(await problemsOf(sql)).toEqual([]);
});
