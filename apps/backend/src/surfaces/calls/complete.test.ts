import { headers } from "@svc/protocol/headers";
import { sql } from "kysely";
import pg from "pg";
import { expect, onTestFinished } from "vitest";
import { askToComplete, complete, wordsOf } from "../../../testing/completions/complete.ts";
import { type FilesTown, test } from "../../../testing/files-test.ts";
import { statementsOf } from "../../../testing/statements-of.ts";
import { TestBackend } from "../../../testing/test-backend.ts";

const next = async (town: FilesTown, ...line: string[]) =>
  wordsOf(await complete(town.backend, town.owner, line, { workspace: town.slug }));

test("commands, flags and choices, for an hour", async ({ town }) => {
  expect(await next(town, "fi")).toEqual(["files", "find"]);
  expect(await next(town, "files", "li")).toEqual(["list"]);
  expect(await next(town, "access", "grant", "/", "x", "--ro")).toEqual(["--role"]);
  expect(await next(town, "access", "grant", "/", "x", "--role", "")).toEqual(["viewer", "editor", "owner"]);
  const { maxAge } = await complete(town.backend, town.owner, ["files", ""]);
  expect(maxAge).toBe(3_600);
});

test("paths as they are typed, folders with a slash", async ({ town }) => {
  await town.run("files mkdir /reports");
  for (const path of ["/reports/q3 final.md", "/reports/it's.md", "/reports/急須.md", "/read.me"]) {
    await town.put(path, "text");
  }
  expect(await next(town, "ls", "")).toEqual(["/read.me", "/reports/", `${town.slug}:/`]);
  expect(await next(town, "ls", "/re")).toEqual(["/read.me", "/reports/"]);
  expect(await next(town, "ls", "rep")).toEqual(["reports/"]);
  expect(await next(town, "files", "stat", "/reports/")).toEqual([
    "/reports/it's.md",
    "/reports/q3 final.md",
    "/reports/急須.md",
  ]);
  expect(await next(town, "cat", "/reports/急")).toEqual(["/reports/急須.md"]);
  expect(await next(town, "cat", "/reports/nothing")).toEqual([]);
  expect(await next(town, "cat", "/nowhere/x")).toEqual([]);
  const { completions, maxAge } = await complete(town.backend, town.owner, ["ls", "/re"], {
    workspace: town.slug,
  });
  expect(completions).toEqual([
    { word: "/read.me", meaning: "4 B" },
    { word: "/reports/", meaning: "folder" },
  ]);
  expect(maxAge).toBe(5);
});

test("paths in another workspace, and workspaces as their beginning", async ({ town }) => {
  await town.backend.run(town.owner, ["workspaces", "create", "営業"]);
  await town.backend.run(town.owner, ["files", "mkdir", "営業:/reports"]);
  expect(await next(town, "ls", "営")).toEqual(["営業:/"]);
  expect(await next(town, "ls", "営業:/re")).toEqual(["営業:/reports/"]);
  expect(await next(town, "ls", "--workspace", "営業", "/re")).toEqual(["/reports/"]);
  expect(await next(town, "ls", "--workspace", "営")).toEqual(["営業"]);
  expect(await next(town, "ls", "--workspace=営")).toEqual(["--workspace=営業"]);
  expect(await next(town, "--workspace", "営")).toEqual(["営業"]);
  expect(await next(town, "workspaces", "get", "営")).toEqual(["営業"]);
  expect(await next(town, "ls", "file:/x")).toEqual([]);
});

test("a name with a colon is offered only where it cannot be taken for a workspace", async ({ town }) => {
  await town.put("/10:30.md", "x");
  expect(await next(town, "cat", "/10")).toEqual(["/10:30.md"]);
  expect(await next(town, "cat", "10")).toEqual([]);
});

test("a workspace whose slug another one has is completed by its id", async ({ town, backend }) => {
  const { token } = await town.tenant.addPerson("Twin");
  const ids: string[] = [];
  for (const owner of [town.owner, token]) {
    const { id } = await backend.run<{ id: string }>(owner, ["workspaces", "create", "Twins"]);
    ids.push(id);
  }
  expect(await next(town, "workspaces", "get", "twi")).toEqual(["twins"]);
  const seesBoth = wordsOf(await complete(backend, town.tenant.token, ["workspaces", "get", "twi"]));
  expect(seesBoth).toEqual([]);
  const everything = wordsOf(await complete(backend, town.tenant.token, ["workspaces", "get", ""]));
  expect(everything).toEqual(expect.arrayContaining(ids));
});

test("collections, by slug, here and in another workspace", async ({ town }) => {
  await town.run(["collections", "create", "Key Customers", "--field", "name:text"]);
  expect(await next(town, "records", "list", "key")).toEqual(["key-customers"]);
  expect(await next(town, "records", "list", `${town.slug}:k`)).toEqual([`${town.slug}:key-customers`]);
  expect(await next(town, "records", "list", town.slug.slice(0, 2))).toEqual([`${town.slug}:`]);
});

test("people by address or name, and groups where they can be named", async ({ town, backend }) => {
  await town.person("Rin", "viewer");
  await backend.run(town.tenant.token, "groups create Rintaros");
  await backend.run(town.tenant.token, ["groups", "add", "Rintaros", town.tenant.addressOf("Rin")]);
  await town.run(["members", "add", town.tenant.addressOf("Rin"), "--role", "editor"]);
  const address = town.tenant.addressOf("Rin");
  expect(await next(town, "members", "remove", "rin")).toEqual([address]);
  expect(await next(town, "members", "remove", "Ri")).toEqual(["Rin"]);
  expect(await next(town, "access", "grant", "/", "Ri")).toEqual(["Rin"]);
  const administrators = wordsOf(
    await complete(backend, town.tenant.token, ["access", "grant", "/", "Ri"], { workspace: town.slug }),
  );
  expect(administrators).toEqual(["Rin", "Rintaros"]);
  expect(wordsOf(await complete(backend, town.tenant.token, ["groups", "show", "R"]))).toEqual(["Rintaros"]);
  const { maxAge } = await complete(backend, town.owner, ["members", "remove", "r"], {
    workspace: town.slug,
  });
  expect(maxAge).toBe(60);
});

test("operations by the end of their id, tokens, administrators and the trash", async ({ town, backend }) => {
  await town.run("files mkdir /gone");
  const { body } = await town.type("files delete /gone");
  const [latest] = (await complete(backend, town.owner, ["undo", ""], { workspace: town.slug })).completions;
  expect(body.operation).toMatch(new RegExp(`${latest?.word}$`));
  expect(latest?.meaning).toContain("delete folder");
  expect((await backend.type(town.owner, ["undo", latest?.word ?? "", "--dry-run"])).status).toBe(200);
  const { id } = body.data as { id: string };
  expect(await next(town, "files", "restore", "")).toEqual([id]);
  expect(await next(town, "trash", "purge", id.slice(0, 8))).toEqual([id]);
  await backend.run(town.tenant.token, "tokens create nightly");
  expect(wordsOf(await complete(backend, town.tenant.token, ["tokens", "revoke", "ni"]))).toEqual([
    "nightly",
  ]);
  expect(wordsOf(await complete(backend, town.tenant.token, ["administrators", "remove", "ro"]))).toEqual([
    "root",
  ]);
});

test("asks for local files, with paths where both can stand", async ({ town }) => {
  await town.run("files mkdir /reports");
  const first = await complete(town.backend, town.owner, ["put", ""], { workspace: town.slug });
  expect(first).toMatchObject({ files: true, completions: [] });
  const second = await complete(town.backend, town.owner, ["put", "./a", "/re"], { workspace: town.slug });
  expect(second).toMatchObject({ files: true, completions: [{ word: "/reports/" }] });
  expect(await complete(town.backend, town.owner, ["ls", ""])).not.toHaveProperty("files");
});

test("only what is left of the cursor counts", async ({ town }) => {
  const { statusCode, body } = await town.backend.server.inject({
    method: "POST",
    url: "/api/v1/cli",
    headers: { authorization: `Bearer ${town.owner}`, [headers.completion]: "1" },
    payload: { argv: [], complete: { word: "whatever", offset: 2 } },
  });
  expect({ statusCode, words: wordsOf(JSON.parse(body)) }).toEqual({ statusCode: 200, words: ["whoami"] });
});

test("at most 100 candidates", async ({ town }) => {
  await town.putFolder(
    "put ./many /many",
    Object.fromEntries([...Array(120).keys()].map((n) => [`f${n}`, ""])),
  );
  expect(await next(town, "ls", "/many/f")).toHaveLength(100);
  expect(await next(town, "ls", "/many/f11")).toHaveLength(11);
});

test("nothing runs and nothing is recorded, in a READ ONLY transaction with a short limit", async ({
  town,
  backend,
}) => {
  const count = async () => {
    const { items } = await backend.run<{ items: unknown[] }>(town.tenant.token, "audit list --limit 200");
    return items.length;
  };
  const before = await count();
  const line = ["files", "mkdir", "/new"];
  const sent = await statementsOf(() => next(town, ...line), /statement_timeout/);
  expect(sent[0]).toMatch(/^begin isolation level repeatable read, read only/);
  await next(town, "search", "query", "tea");
  await next(town, "trash", "purge", "--confirm", "true", "");
  // Refused commands leave an entry; completing them does not.
  const { token } = await town.tenant.addPerson("Scopeless", { scopes: ["files:read"] });
  await complete(backend, token, ["files", "mkdir", "/"], { workspace: town.slug });
  expect(await count()).toBe(before);
  expect(await town.tree()).toEqual([]);
});

test("what cannot be looked up is left out, and not remembered", async ({ town, backend }) => {
  expect(await complete(backend, town.owner, ["ls", "/"])).toEqual({
    kind: "completions",
    completions: [],
    maxAge: 0,
  });
  for (const word of ["/a\0", "\ud800", "x".repeat(5_000), "/".repeat(5_000), "../../..", "no:such:/x"]) {
    const { statusCode } = await askToComplete(backend, town.owner, ["ls", word], { workspace: town.slug });
    expect(statusCode).toBe(200);
  }
});

test("a slow look-up is given up in time, and its connection is not lost", async () => {
  const backend = await TestBackend.start({ limits: { completionMillis: 250 }, maxConnections: 3 });
  onTestFinished(() => backend.close());
  const { token } = await backend.addTenant();
  await backend.run(token, "workspaces create Town");
  await backend.run(token, "files mkdir /reports --workspace town");
  const ask = () => complete(backend, token, ["ls", "/re"], { workspace: "town" });
  const admin = new pg.Client({ connectionString: backend.testDatabase.adminUrl });
  await admin.connect();
  await admin.query("begin; lock table app.node in access exclusive mode");
  // Without a limit each would wait for the lock, which is held until all have answered.
  for (let count = 0; count < 5; count += 1) {
    expect(await ask()).toMatchObject({ completions: [], maxAge: 0 });
  }
  const { rows } = await admin.query<{ pid: number }>(connections);
  await admin.query("rollback");
  await expect.poll(async () => wordsOf(await ask())).toEqual(["/reports/"]);
  const after = await admin.query<{ pid: number }>(connections);
  await admin.end();
  expect(rows.length).toBeGreaterThan(0);
  expect(after.rows).toEqual(expect.arrayContaining(rows));
});

const connections =
  "select pid from pg_stat_activity where datname = current_database() and usename = 'svc_app'";

test("has its own rate, by a header that must be true", async () => {
  const backend = await TestBackend.start({ rate: { perCredential: 3, perAddress: 1e9 } });
  onTestFinished(() => backend.close());
  const { token } = await backend.addTenant();
  const statuses: number[] = [];
  for (let count = 0; count < 4; count += 1) {
    statuses.push((await askToComplete(backend, token, ["fi"])).statusCode);
  }
  expect(statuses).toEqual([200, 200, 200, 429]);
  expect((await backend.type(token, "whoami")).status).toBe(200);
  // On other routes the header changes nothing.
  const search = () =>
    backend.server.inject({
      method: "POST",
      url: "/api/v1/search",
      headers: { authorization: `Bearer ${token}`, [headers.completion]: "1" },
      payload: { query: "tea" },
    });
  expect([await search(), await search(), await search()].map(({ statusCode }) => statusCode)).toEqual([
    200, 200, 429,
  ]);
});

test("a completion must be marked", async ({ town, backend }) => {
  const token = town.owner;
  const unmarked = { complete: { word: "", offset: 0 } };
  expect((await backend.type(token, "whoami", { request: unmarked })).status).toBe(400);
});

test("a line that is marked as a completion does not run", async ({ town, backend }) => {
  const marked = { headers: { [headers.completion]: "1" } };
  expect((await backend.type(town.owner, town.words("files mkdir /x"), marked)).status).toBe(400);
  expect(await town.tree()).toEqual([]);
});

test("works without the service's help: an account that was disabled gets nothing", async ({
  town,
  backend,
}) => {
  const { id, token } = await town.tenant.addPerson("Leaver");
  await town.run(["members", "add", town.tenant.addressOf("Leaver"), "--role", "viewer"]);
  await town.run("files mkdir /reports");
  const ask = async () => wordsOf(await complete(backend, token, ["ls", "/re"], { workspace: town.slug }));
  expect(await ask()).toEqual(["/reports/"]);
  await backend.database.withTenant({ tenantId: town.tenant.id, actorId: id }, "write", ({ db, tenantId }) =>
    sql`update app.principal set disabled_at = now() where tenant_id = ${tenantId} and id = ${id}`.execute(
      db,
    ),
  );
  expect(await ask().catch(() => [])).toEqual([]);
});
