import { randomBytes } from "node:crypto";
import { copyFile, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { databaseUrl, ensureDatabase, withAdmin } from "./development-server.ts";
import { migrate, planMigrations } from "./migrate.ts";
import { migrationsFolder } from "./migrations.ts";

const name = `svc_migrate_${randomBytes(6).toString("hex")}`;
const url = databaseUrl(name);
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "svc-migrate-"));
  await ensureDatabase(name);
});
afterEach(async () => {
  await withAdmin((client) => client.query(`drop database ${name} with (force)`));
  await rm(folder, { recursive: true });
});

async function write(files: Record<string, string>): Promise<void> {
  for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text);
}

async function query<Row extends pg.QueryResultRow>(statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}

const schema = { "0001_schema.sql": "create schema shop;" };
const tables = async () =>
  (
    await query<{ table: string }>(
      "select tablename as table from pg_tables where schemaname = 'shop' order by 1",
    )
  ).map(({ table }) => table);

test("applies missing migrations, in order, once", async () => {
  await write({
    "0002_shelf.sql": "create table shop.shelf (id int primary key);",
    ...schema,
    "notes.txt": "?",
  });
  expect(await migrate(url, { folder })).toEqual(["0001_schema.sql", "0002_shelf.sql"]);
  expect(await migrate(url, { folder })).toEqual([]);

  await write({ "0003_item.sql": "create table shop.item (shelf int references shop.shelf);" });
  expect(await migrate(url, { folder })).toEqual(["0003_item.sql"]);
  expect(await tables()).toEqual(["item", "shelf"]);
});

test("creates everything as svc_owner, whoever runs it", async () => {
  await write({ ...schema, "0002_shelf.sql": "create table shop.shelf ();" });
  await migrate(url, { folder });
  expect(await query("select tableowner as owner from pg_tables where schemaname = 'shop'")).toEqual([
    { owner: "svc_owner" },
  ]);
});

test("refuses a migration that was changed after it was applied, and applies nothing else", async () => {
  await write(schema);
  await migrate(url, { folder });
  await write({
    "0001_schema.sql": "create schema shop; --",
    "0002_shelf.sql": "create table shop.shelf ();",
  });
  await expect(migrate(url, { folder })).rejects.toThrow("0001_schema.sql was changed after it was applied");
  expect(await tables()).toEqual([]);
});

test("refuses a database that is newer than this version", async () => {
  await write({ ...schema, "0002_future.sql": "create table shop.future ();" });
  await migrate(url, { folder });
  await rm(join(folder, "0002_future.sql"));
  await write({ "0002_shelf.sql": "create table shop.shelf ();" });
  await expect(migrate(url, { folder })).rejects.toThrow(
    "the database has 0002_future.sql, which this version",
  );
  expect(await tables()).toEqual(["future"]);
});

test("a migration that fails leaves nothing, names its file, and can be repeated once it is fixed", async () => {
  await write({ ...schema, "0002_shelf.sql": "create table shop.shelf (); create table shop.shelf ();" });
  await expect(migrate(url, { folder })).rejects.toThrow(
    'migration 0002_shelf.sql failed: relation "shelf" already exists',
  );
  expect(await tables()).toEqual([]);

  await write({ "0002_shelf.sql": "create table shop.shelf ();" });
  expect(await migrate(url, { folder })).toEqual(["0002_shelf.sql"]);
});

test("two runs at once take turns: each migration is applied by one of them", async () => {
  await write({
    ...schema,
    "0002_shelf.sql": "create table shop.shelf (id int); select pg_sleep(0.3);",
    "0003_index.sql": "-- outside transaction\ncreate index concurrently shelf_by_id on shop.shelf (id);",
    "0004_item.sql": "create table shop.item ();",
  });
  const [mine, theirs] = await Promise.all([migrate(url, { folder }), migrate(url, { folder })]);
  expect([mine, theirs].sort((a, b) => a.length - b.length)).toEqual([
    [],
    ["0001_schema.sql", "0002_shelf.sql", "0003_index.sql", "0004_item.sql"],
  ]);
});

test("`-- outside transaction` lets a migration create an index concurrently", async () => {
  const index = "create index concurrently shelf_by_id on shop.shelf (id);";
  await write({ ...schema, "0002_shelf.sql": "create table shop.shelf (id int);", "0003_index.sql": index });
  await expect(migrate(url, { folder })).rejects.toThrow(
    "0003_index.sql failed: CREATE INDEX CONCURRENTLY cannot",
  );

  await write({ "0003_index.sql": `-- outside transaction\n${index}` });
  expect(await migrate(url, { folder })).toEqual(["0003_index.sql"]);
  expect(
    await query("select indisvalid as valid from pg_index where indexrelid = 'shop.shelf_by_id'::regclass"),
  ).toEqual([{ valid: true }]);
});

test("an index that an earlier attempt left invalid is built again", async () => {
  await write({
    ...schema,
    "0002_shelf.sql": "create table shop.shelf (id int); insert into shop.shelf values (1), (1);",
    "0003_index.sql":
      "-- outside transaction\ncreate unique index concurrently if not exists shelf_by_id on shop.shelf (id);",
  });
  await expect(migrate(url, { folder })).rejects.toThrow(
    "0003_index.sql failed: could not create unique index",
  );
  const isValid = "select indisvalid as valid from pg_index where indexrelid = 'shop.shelf_by_id'::regclass";
  expect(await query(isValid)).toEqual([{ valid: false }]);

  await query("delete from shop.shelf");
  const lines: string[] = [];
  await migrate(url, { folder, report: (line) => lines.push(line) });
  expect(await query(isValid)).toEqual([{ valid: true }]);
  expect(lines[0]).toBe("0003_index.sql: dropped shop.shelf_by_id, left invalid by an attempt that failed");
});

test("a plan names what would be applied, and changes nothing, not even on an empty database", async () => {
  await write({
    ...schema,
    "0002_shelf.sql": "-- contract after 0001: an example\ncreate table shop.shelf ();",
  });
  const plan = async () => (await planMigrations(url, folder)).map(({ name }) => name);
  expect(await plan()).toEqual(["0001_schema.sql", "0002_shelf.sql"]);
  expect(await query("select to_regclass('public.svc_migration') as table")).toEqual([{ table: null }]);
  await migrate(url, { folder });
  expect(await plan()).toEqual([]);
});

test("an earlier version finds nothing to do on a newer database, so that a release can be rolled back", async () => {
  await write({ ...schema, "0002_future.sql": "create table shop.future ();" });
  await migrate(url, { folder });
  await rm(join(folder, "0002_future.sql"));
  expect(await migrate(url, { folder })).toEqual([]);
});

test("a database of a version that kept less about its migrations is brought up to date", async () => {
  await write(schema);
  await migrate(url, { folder });
  await query(`alter table public.svc_migration drop column contract_after;
    revoke select on public.svc_migration from svc_app, svc_worker`);
  await write({ "0002_shelf.sql": "-- contract after 0002: an example\ncreate table shop.shelf ();" });
  await migrate(url, { folder });
  expect(
    await query(`select name, contract_after, has_table_privilege('svc_app', 'svc_migration', 'select') as is_readable
      from public.svc_migration order by 1`),
  ).toEqual([
    { name: "0001_schema.sql", contract_after: null, is_readable: true },
    { name: "0002_shelf.sql", contract_after: "0002", is_readable: true },
  ]);
});

/** Our own migrations up to a given one: a database of an earlier version. */
async function migrateUntil(next: string): Promise<void> {
  for (const file of await readdir(migrationsFolder))
    if (file < next) await copyFile(join(migrationsFolder, file), join(folder, file));
  await migrate(url, { folder });
}

test("AI administrators of an earlier version lose the right; people and service accounts keep it", async () => {
  await migrateUntil("0017");
  await query(`
    insert into control.tenant (tenant_id, name, slug, cell_id) values (gen_random_uuid(), 'Kumo', 'kumo', 'one');
    insert into app.principal (tenant_id, kind, name, is_administrator)
      select tenant_id, kind, kind, true from control.tenant, unnest(array['ai', 'service', 'user']) as kind`);
  await migrate(url);
  const rows = await query("select name, is_administrator, version from app.principal order by name");
  expect(rows).toEqual([
    { name: "ai", is_administrator: false, version: 2 },
    { name: "service", is_administrator: true, version: 1 },
    { name: "user", is_administrator: true, version: 1 },
  ]);
  await expect(query("update app.principal set is_administrator = true where kind = 'ai'")).rejects.toThrow(
    "principal_administrator_kind",
  );
});

test("members from before shared lists have an entry in their workspace's list", async () => {
  await migrateUntil("0005");
  await query(`
    insert into control.tenant (tenant_id, name, slug, cell_id) values (gen_random_uuid(), 'Kumo', 'kumo', 'one');
    insert into app.workspace (tenant_id, name, slug) select tenant_id, 'Home', 'home' from control.tenant;
    insert into app.principal (tenant_id, kind, name) select tenant_id, 'user', 'Rin' from control.tenant;
    insert into app.membership (tenant_id, workspace_id, principal_id, role)
      select workspace.tenant_id, workspace.id, principal.id, 'editor' from app.workspace, app.principal`);
  await migrate(url);
  expect(
    await query(`
      select workspace.slug, scope.parent_id, scope.inherits, principal.name, entry.role
      from app.workspace
      join app.acl_scope as scope on scope.id = workspace.id and scope.anchor_id = workspace.id
      join app.acl_entry as entry on entry.scope_id = scope.id
      join app.principal as principal on principal.id = entry.principal_id`),
  ).toEqual([{ slug: "home", parent_id: null, inherits: true, name: "Rin", role: "editor" }]);
});
