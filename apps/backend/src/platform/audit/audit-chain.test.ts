import { createHash } from "node:crypto";
import { Database } from "@svc/database/database";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { TestBackend, type TestTenant } from "../../../testing/test-backend.ts";
import { type AuditLink, chainStart, findBrokenLink } from "./audit-chain.ts";

let backend: TestBackend;
let admin: Database;

beforeAll(async () => {
  backend = await TestBackend.start();
  admin = new Database({ url: backend.testDatabase.adminUrl, maxConnections: 1 });
});
afterAll(async () => {
  await admin.close();
  await backend.close();
});

/** Seven entries: committed, previewed, refused, with text that is not ASCII. */
async function tenantWithHistory(): Promise<TestTenant> {
  const tenant = await backend.addTenant();
  const agent = await tenant.addPerson("Agent", { kind: "ai" });
  const person = await tenant.addPerson("Person");
  await backend.run(tenant.token, ["workspaces", "create", 'Größe "🌸" 営業\u2028']);
  await backend.run(tenant.token, "workspaces create Second");
  await backend.run(tenant.token, "workspaces delete Second --dry-run");
  await backend.run(agent.token, "workspaces create Idea");
  expect((await backend.type(person.token, "tokens create mine")).status).toBe(403);
  expect((await backend.type(person.token, ["workspaces", "delete", "営業 \\u0000 🌸"])).status).toBe(404);
  expect((await backend.type(agent.token, "workspaces create Idea --confirm true")).status).toBe(409);
  return tenant;
}

async function verify({ token }: TestTenant) {
  const { body } = await backend.type(token, "audit verify");
  return { exitCode: body.exitCode, ...(body.data as object) };
}

test("holds after committed, previewed and refused calls", async () => {
  const tenant = await tenantWithHistory();
  expect(await verify(tenant)).toEqual({ exitCode: 0, entries: 7, intact: true });
  const { items } = await backend.run<{ items: { outcome: string }[] }>(tenant.token, "audit list");
  expect(items.map(({ outcome }) => outcome).sort()).toEqual([
    "committed",
    "committed",
    "previewed",
    "previewed",
    "refused",
    "refused",
    "refused",
  ]);
});

test("chains of two tenants do not touch", async () => {
  const [one, other] = [await tenantWithHistory(), await tenantWithHistory()];
  await admin.withDirectory((db) =>
    sql`delete from app.audit where tenant_id = ${one.id} and sequence = 6`.execute(db),
  );
  expect(await verify(other)).toMatchObject({ intact: true });
  expect(await verify(one)).toMatchObject({ intact: false });
});

describe("detects tampering with SQL, with exit code 60", () => {
  let tenant: TestTenant;
  const run = (statement: string) => admin.withDirectory((db) => sql.raw(statement).execute(db));

  beforeAll(async () => {
    tenant = await tenantWithHistory();
    await run("create table public.kept_audit as table app.audit");
    await run("create table public.kept_head as table app.audit_head");
  });
  afterEach(async () => {
    await run("truncate app.audit, app.audit_head");
    await run("insert into app.audit table public.kept_audit");
    await run("insert into app.audit_head table public.kept_head");
    expect(await verify(tenant)).toMatchObject({ exitCode: 0 });
  });

  const put = (sequence: number) => `
    insert into app.audit (tenant_id, sequence, at, actor_id, command, outcome, entry, previous_hash, hash)
    select tenant_id, ${sequence}, at, actor_id, command, outcome, entry, previous_hash, hash
    from app.audit where sequence = 7`;
  const changed = "replace(entry::text, 'Second', 'Hidden')";
  const rehashed = `sha256(previous_hash || sha256(convert_to(${changed}, 'UTF8')))`;

  test.for<[string, number, string]>([
    ["an entry changed", 2, `update app.audit set entry = ${changed}::json where sequence = 2`],
    [
      "an entry changed only in its spaces",
      2,
      "update app.audit set entry = (' ' || entry::text)::json where sequence = 2",
    ],
    [
      "an entry changed and its own hash made to match",
      3,
      `update app.audit set entry = ${changed}::json, hash = ${rehashed} where sequence = 2`,
    ],
    ["a hash changed", 4, "update app.audit set hash = sha256('x') where sequence = 4"],
    [
      "a link to the previous entry changed",
      4,
      "update app.audit set previous_hash = sha256('x') where sequence = 4",
    ],
    ["the first removed", 2, "delete from app.audit where sequence = 1"],
    ["one in the middle removed", 5, "delete from app.audit where sequence = 4"],
    ["the last removed", 7, "delete from app.audit where sequence = 7"],
    ["all removed", 1, "delete from app.audit"],
    [
      "two entries swapped",
      2,
      `update app.audit set entry = (select entry from app.audit as other
         where other.tenant_id = audit.tenant_id and other.sequence = 5 - audit.sequence)
       where sequence in (2, 3)`,
    ],
    [
      "an entry added at the end, with the head moved along",
      8,
      `with moved as (update app.audit_head set sequence = 8, hash = sha256(hash))
       insert into app.audit (tenant_id, sequence, at, actor_id, command, outcome, entry, previous_hash, hash)
       select tenant_id, 8, at, actor_id, command, outcome, entry, hash, sha256(hash)
       from app.audit where sequence = 7`,
    ],
    [
      "the last entry renumbered, with the head moved along",
      8,
      `with moved as (update app.audit_head set sequence = 8)
       update app.audit set sequence = 8 where sequence = 7`,
    ],
    ["an entry added behind the head", 8, put(8)],
    ["an entry added before the first", 0, put(0)],
    ["the head removed", 1, "delete from app.audit_head"],
    ["the head moved back", 7, "update app.audit_head set sequence = 6"],
    ["the actor column changed", 2, "update app.audit set actor_id = uuidv7() where sequence = 2"],
    ["the time column changed", 2, "update app.audit set at = now() where sequence = 2"],
    ["the command column changed", 2, "update app.audit set command = 'whoami' where sequence = 2"],
    ["the outcome column changed", 5, "update app.audit set outcome = 'committed' where sequence = 5"],
    ["the head's hash changed", 8, "update app.audit_head set hash = sha256('x')"],
  ])("%s", async ([, brokenAt, statement]) => {
    const { numAffectedRows } = await run(statement);
    expect(Number(numAffectedRows)).toBeGreaterThan(0);
    expect(await verify(tenant)).toMatchObject({ exitCode: 60, intact: false, brokenAt });
  });
});

test("the application role can neither change nor remove an entry", async () => {
  const tenant = await tenantWithHistory();
  const scope = { tenantId: tenant.id, actorId: tenant.id };
  for (const statement of [sql`update app.audit set entry = '{}'`, sql`delete from app.audit`]) {
    await expect(
      backend.database.withTenant(scope, "write", ({ db }) => statement.execute(db)),
    ).rejects.toThrow("permission denied");
  }
});

describe("a broken link", () => {
  const sha256 = (...parts: (string | Buffer)[]) => {
    const hash = createHash("sha256");
    for (const part of parts) hash.update(part);
    return hash.digest();
  };

  function chainOf(...requestIds: string[]): AuditLink[] {
    let previousHash = chainStart.hash;
    const at = new Date();
    return requestIds.map((requestId, index) => {
      const said = { at, actor: "rin", command: "files move", outcome: "committed", requestId };
      const entry = JSON.stringify(said);
      const hash = sha256(previousHash, sha256(entry));
      const shown = { at, actorId: "rin", command: "files move", outcome: "committed" };
      const link = { sequence: index + 1, ...shown, entry, previousHash, hash };
      previousHash = hash;
      return link;
    });
  }

  test("does not exist in a chain whose hashes each cover the previous hash and the entry", () => {
    expect(findBrokenLink(chainOf("a", "b", "c"), chainStart)).toBeUndefined();
    expect(findBrokenLink([], chainStart)).toBeUndefined();
  });

  test("is found if a page does not begin where the previous one ended", () => {
    const [first, second, third] = chainOf("a", "b", "c");
    if (!first || !second || !third) throw new Error("three links");
    expect(findBrokenLink([second, third], first)).toBeUndefined();
    expect(findBrokenLink([third], first)).toBe(3);
    expect(findBrokenLink([second, third], chainStart)).toBe(2);
  });
});
