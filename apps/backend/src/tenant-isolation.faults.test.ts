import { randomBytes, randomInt, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Database } from "@svc/database/database";
import { ndjsonMediaType } from "@svc/protocol/exchange";
import { headers as headerNames } from "@svc/protocol/headers";
import { encodeId, type IdKind } from "@svc/protocol/typed-id";
import { faultSize } from "@svc/testing/fault-size";
import { type RawBuilder, sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { TestBackend } from "../testing/test-backend.ts";
import { formatServiceToken, hashSecret, newSecret } from "./platform/service-token.ts";

/**
 * Nothing leaks between tenants. Each tenant has a canary, a random word that stands in all of its names and that
 * nobody else ever sends; whatever a call of one tenant brings to light is searched for the canaries of others.
 *
 * What makes a missing guard visible: most ids are twins, the same in every tenant, so that a lookup by id alone finds
 * somebody else's row; and some tenants are bystanders, who fall silent and must find every row of theirs untouched.
 */
const tenantCount = faultSize(200, 25);
const callCount = faultSize(4_000, 400);
const bystanderCount = 3;
const inFlight = 8;
const callsPerKill = 50;
const seed = Number(process.env.SVC_SEED ?? randomInt(2 ** 31));

test("with policies and predicates", () => nothingLeaks({ policies: true }));

test("with predicates alone", () => nothingLeaks({ policies: false }));

async function nothingLeaks({ policies }: { policies: boolean }): Promise<void> {
  const town = await Town.build();
  if (!policies) await town.disablePolicies();
  await town.warmUp();
  const before = await town.rowsOfBystanders();
  await town.rush();

  expect(town.findings, `SVC_SEED=${seed} repeats these calls`).toEqual([]);
  expect(await town.rowsOfBystanders()).toEqual(before);
  expect(await town.strangersInRows()).toEqual([]);
  // A call that never succeeds, or a search that never meets a canary, would find no leak either.
  expect(town.neverSucceeded()).toEqual([]);
  expect(town.counts.killed).toBeGreaterThan(0);
  expect(town.counts.aborted).toBeGreaterThan(0);
  expect(town.counts.withOwnCanary).toBeGreaterThan(callCount / 4);
  if (process.env.SVC_FAULTS === "full") process.stdout.write(`${JSON.stringify(town.counts)}\n`);
}

test("with policies alone: a statement without any predicate reaches no other tenant's row", async () => {
  const town = await Town.build();
  await town.warmUp();
  const { admin, backend, tenants } = town;
  const [own, other] = tenants as [Tenant, Tenant];
  const worker = new Database({ url: backend.testDatabase.workerUrl, maxConnections: 1 });
  onTestFinished(() => worker.close());

  const broken: string[] = [];
  for (const { name, ...rightsOf } of await tenantTables(admin)) {
    const table = sql.raw(name);
    const theirs = await rowsOf(admin, table, other);
    const ownCount = (await rowsOf(admin, table, own)).length;
    expect(ownCount, `${name} has rows to see`).toBeGreaterThan(0);
    for (const [database, rights] of [
      [backend.database, rightsOf.svc_app],
      [worker, rightsOf.svc_worker],
    ] as const) {
      const attempt = (statement: RawBuilder<{ tenant_id: string }>) =>
        database
          .withTenant({ tenantId: own.id, actorId: twins.root }, "rollback", ({ db }) =>
            statement.execute(db),
          )
          .then(
            ({ rows, numAffectedRows }) => ({
              rows,
              count: Number(numAffectedRows ?? rows.length),
              code: "",
            }),
            ({ code }: { code: string }) => ({ rows: [], count: 0, code }),
          );
      const claim = (what: string, holds: boolean) => {
        if (!holds) broken.push(`${name}: ${what}`);
      };

      const read = await attempt(sql`select tenant_id from ${table}`);
      if (!rights.includes("select")) {
        claim("is read without the right to", read.code === "42501");
        continue;
      }
      claim(
        "shows another tenant",
        read.rows.every((row) => row.tenant_id === own.id),
      );
      claim("shows more or fewer than its own", read.count === ownCount);
      const unset = await database.withDirectory((db) => sql`select from ${table}`.execute(db));
      claim("shows rows to nobody", unset.rows.length === 0);

      const foreign = sql`select * from jsonb_populate_record(null::${table}, ${JSON.stringify(theirs[0])}::jsonb)`;
      claim(
        "takes a row for another",
        (await attempt(sql`insert into ${table} ${foreign}`)).code === "42501",
      );
      if (rights.includes("update")) {
        const touched = await attempt(sql`update ${table} set tenant_id = tenant_id`);
        claim("lets another's rows be changed", touched.count === ownCount);
        const given = await attempt(sql`update ${table} set tenant_id = ${other.id}`);
        claim("lets rows be given away", given.code === "42501");
      }
      if (rights.includes("delete")) {
        const deleted = await attempt(sql`delete from ${table}`);
        claim("lets another's rows be deleted", deleted.count === ownCount);
      }
    }
  }
  expect(broken).toEqual([]);
});

interface TenantTable {
  name: string;
  svc_app: string[];
  svc_worker: string[];
}

/** From the catalog, so that a table of tomorrow is in the test the day it is made. */
async function tenantTables(admin: Database): Promise<TenantTable[]> {
  const rights = (role: string) => sql`
    array(select right_name from unnest(array['select', 'insert', 'update', 'delete']) as right_name
          where has_table_privilege(${role}, attrelid, right_name))`;
  const { rows } = await admin.withDirectory((db) =>
    sql<TenantTable>`
      select attrelid::regclass::text as name, ${rights("svc_app")} as svc_app, ${rights("svc_worker")} as svc_worker
      from pg_attribute join pg_class on pg_class.oid = attrelid
      where attname = 'tenant_id' and relkind in ('r', 'p')
        and relnamespace::regnamespace::text in ('control', 'app')
      order by 1`.execute(db),
  );
  return rows;
}

async function rowsOf(admin: Database, table: RawBuilder<unknown>, { id }: Tenant): Promise<unknown[]> {
  const { rows } = await admin.withDirectory((db) =>
    sql<{ row: unknown }>`
      select to_jsonb(t) as row from ${table} as t where tenant_id = ${id} order by t::text`.execute(db),
  );
  return rows.map(({ row }) => row);
}

interface Tenant {
  id: string;
  canary: string;
  tokens: { administrator: string; member: string; outsider: string };
  /** What others can guess or have seen: names and ids of things that only this tenant has. */
  vault: { id: string; slug: string };
  guest: { id: string; email: string };
  spareCredential: string;
  /** What its calls made. */
  workspaces: string[];
  operations: string[];
  credentials: string[];
  previews: string[];
}

/** Ids that every tenant has. */
const twins = {
  root: randomUUID(),
  member: randomUUID(),
  person: randomUUID(),
  /** In the common workspace of bystanders only. */
  outsider: randomUUID(),
  common: randomUUID(),
  sandbox: randomUUID(),
  operation: randomUUID(),
  idempotencyKey: randomUUID(),
};
const shown = (kind: IdKind, id: string) => encodeId(kind, id);
const common = ["--workspace", shown("workspace", twins.common)];
const sandbox = ["--workspace", shown("workspace", twins.sandbox)];
const person = shown("user", twins.person);
const jointVenture = ["workspaces", "create", "Joint Venture"];

interface Call {
  argv?: string[];
  get?: string;
  post?: { path: string; body: unknown };
  idempotencyKey?: string;
  as?: keyof Tenant["tokens"];
}

type MakeCall = (own: Tenant, other: Tenant, number: number) => Call | string[];

/** What tenants do with what is theirs. Each must succeed at least once in a run. */
const ownCalls: Record<string, MakeCall> = {
  whoami: () => ["whoami"],
  context: () => ({ get: "/api/v1/context" }),
  manifest: () => ({ get: "/api/v1/commands" }),
  "json list": () => ({
    post: { path: "/api/v1/commands/workspaces/list", body: { arguments: { limit: 200 } } },
  }),
  help: () => ["help"],
  "help of a group": () => ["workspaces", "--help"],
  "list workspaces": () => ["workspaces", "list"],
  "page of workspaces": () => ["workspaces", "list", "--limit", "1", "--cursor", "a"],
  "get vault": ({ vault }) => ["workspaces", "get", vault.slug],
  "get twin": () => ["workspaces", "get", shown("workspace", twins.common)],
  "get ambient": () => ["workspaces", "get", ...common],
  create: ({ canary }, _other, number) => ["workspaces", "create", `${canary} ${number}`],
  "rename twin": ({ canary }, _other, number) => [
    "workspaces",
    "rename",
    shown("workspace", twins.common),
    `${canary} common ${number}`,
  ],
  "take a name that is taken elsewhere": ({ workspaces }) => [
    "workspaces",
    "rename",
    pick(workspaces),
    "Elsewhere",
  ],
  delete: ({ workspaces }) => ["workspaces", "delete", pick(workspaces)],
  undo: ({ operations }) => ["operations", "undo", pick(operations)],
  "undo twin": () => ["operations", "undo", shown("operation", twins.operation)],
  "list members": () => ["members", "list", ...common],
  "add member": () => ["members", "add", person, "--role", pick(["owner", "editor", "viewer"]), ...common],
  "add member by address": () => ["members", "add", "shared@example.com", ...common],
  "add member once": () => ({
    argv: ["members", "add", person, "--role", "editor", ...common],
    idempotencyKey: twins.idempotencyKey,
  }),
  "remove member": () => ["members", "remove", person, ...common],
  "list tokens": () => ["tokens", "list"],
  "create token": ({ canary }, _other, number) => ["tokens", "create", `${canary} token ${number}`],
  "rotate token": () => ["tokens", "rotate", "shared-token"],
  "revoke token": ({ credentials }) => ["tokens", "revoke", pick(credentials)],
  "list operations": () => ["operations", "list", "--limit", "200"],
  "show twin operation": () => ["operations", "show", shown("operation", twins.operation)],
  "show operation": ({ operations }) => ["operations", "show", pick(operations)],
  "list audit": () => ["audit", "list", "--limit", "200"],
  "list refusals": () => ["audit", "list", "--outcome", "refused"],
  "verify audit": () => ["audit", "verify"],
  preview: () => [...jointVenture, "--dry-run"],
  confirm: ({ previews }) => [...jointVenture, "--confirm", pick(previews)],
};

/** What reaches for another tenant's things, or is wrong. None may ever succeed. */
const refusedCalls: Record<string, MakeCall> = {
  "get another's by slug": (_own, { vault }) => ["workspaces", "get", vault.slug],
  "get another's by id": (_own, { vault }) => ["workspaces", "get", shown("workspace", vault.id)],
  "rename another's": (_own, { vault }) => ["workspaces", "rename", vault.slug, "Mine"],
  "delete another's": (_own, { vault }) => ["workspaces", "delete", shown("workspace", vault.id)],
  "list another's members": (_own, { vault }) => ["members", "list", "--workspace", vault.slug],
  "add another's guest by address": (_own, { guest }) => ["members", "add", guest.email, ...common],
  "add another's guest by id": (_own, { guest }) => ["members", "add", shown("user", guest.id), ...common],
  "remove who is a member elsewhere": () => ["members", "remove", shown("user", twins.outsider), ...common],
  "get what one is a member of elsewhere": () => ({
    argv: ["workspaces", "get", shown("workspace", twins.common)],
    as: "outsider",
  }),
  "remove the last owner": () => ["members", "remove", shown("user", twins.member), ...sandbox],
  "rotate another's token": (_own, other) => ["tokens", "rotate", shown("credential", other.spareCredential)],
  "revoke another's token": (_own, other) => ["tokens", "revoke", shown("credential", other.spareCredential)],
  "show another's operation": (_own, { operations }) => ["operations", "show", pick(operations)],
  "undo another's operation": (_own, { operations }) => ["operations", "undo", pick(operations)],
  "confirm another's preview": (_own, { previews }) => [...jointVenture, "--confirm", pick(previews)],
  "wrong command": () => ["workspaces", "gte", "home"],
  "wrong argument": () => ["workspaces", "list", "--limit", "many"],
  "missing argument": () => ["workspaces", "rename"],
};

const kinds = { ...ownCalls, ...refusedCalls };

/** mulberry32: small, and the same everywhere for the same seed. */
function randomFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

let random = randomFrom(seed);

function pick<T>(from: readonly T[]): T {
  // Where nothing was made yet, the call names nothing; it is refused, as it should be.
  return from[Math.floor(random() * from.length)] ?? ("nothing" as T);
}

/** A backend with one connection, which all tenants share, and what was seen of it. */
class Town {
  readonly findings: string[] = [];
  readonly counts = { calls: 0, aborted: 0, killed: 0, unavailable: 0, logLines: 0, withOwnCanary: 0 };
  readonly tenants: Tenant[];
  readonly backend: TestBackend;
  readonly admin: Database;
  readonly #address: string;
  readonly #callers = new Map<string, Tenant>();
  readonly #tenantOfId: ReadonlyMap<string, Tenant>;
  readonly #succeeded = new Set<string>();

  static async build(): Promise<Town> {
    random = randomFrom(seed);
    const lines: { write(line: string): void } = { write: () => {} };
    const backend = await TestBackend.start({
      maxConnections: 1,
      logTo: { write: (line) => lines.write(line) },
    });
    const admin = new Database({ url: backend.testDatabase.adminUrl, maxConnections: 2 });
    onTestFinished(async () => {
      await admin.close();
      // An aborted call can leave a connection that never carried a request, which is not idle to Node.
      backend.server.server.closeAllConnections();
      await backend.close();
    });
    // What is tested here does not depend on the disk, and waiting for it is half of the time.
    const unhurried = sql`alter database ${sql.id(backend.testDatabase.name)} set synchronous_commit = off`;
    await admin.withDirectory((db) => unhurried.execute(db));
    const tenants = await settle(admin);
    const address = await backend.server.listen({ host: "127.0.0.1", port: 0 });
    const town = new Town(backend, admin, tenants, address);
    lines.write = (line) => town.#readLogLine(line);
    return town;
  }

  private constructor(backend: TestBackend, admin: Database, tenants: Tenant[], address: string) {
    this.backend = backend;
    this.admin = admin;
    this.tenants = tenants;
    this.#address = address;
    this.#tenantOfId = new Map(
      tenants.flatMap((tenant) => [
        [tenant.id, tenant],
        [shown("tenant", tenant.id), tenant],
      ]),
    );
  }

  async disablePolicies(): Promise<void> {
    const tables = await tenantTables(this.admin);
    await this.admin.withDirectory(async (db) => {
      for (const { name } of tables) {
        await sql`alter table ${sql.raw(name)} disable row level security`.execute(db);
      }
    });
    const { rows } = await this.backend.database.withDirectory((db) =>
      sql<{ tenants: number }>`select count(distinct tenant_id) as tenants from app.workspace`.execute(db),
    );
    expect(rows).toEqual([{ tenants: tenantCount }]);
  }

  /** Everybody has made something of each kind, bystanders too. */
  async warmUp(): Promise<void> {
    const first = ["add member once", "create", "create", "create token", "preview"];
    const calls = this.tenants.flatMap((tenant) => first.map((kind) => ({ tenant, kind })));
    await inParallel(calls, async ({ tenant, kind }) => this.#call(kind, tenant, tenant, "calmly"));
    await this.#quiet();
  }

  async rush(): Promise<void> {
    const active = this.tenants.slice(bystanderCount);
    let deck: string[] = [];
    await inParallel([...Array(callCount).keys()], async (number) => {
      if (number % callsPerKill === callsPerKill - 1) await this.#killConnections();
      if (deck.length === 0) deck = shuffled(Object.keys(kinds));
      const own = pick(active);
      const other = pick(this.tenants.filter((tenant) => tenant !== own));
      await this.#call(deck.pop() ?? "", own, other, random() < 0.1 ? "impatiently" : "calmly");
    });
    await this.#quiet();
  }

  /** The first few tell enough; a missing guard is seen in thousands of answers. */
  #report(finding: string): void {
    if (this.findings.length < 20) this.findings.push(finding.slice(0, 1_000));
  }

  neverSucceeded(): string[] {
    return Object.keys(ownCalls).filter((kind) => !this.#succeeded.has(kind));
  }

  async rowsOfBystanders(): Promise<Record<string, unknown>> {
    const all: Record<string, unknown> = {};
    for (const { name } of await tenantTables(this.admin)) {
      for (const tenant of this.tenants.slice(0, bystanderCount)) {
        all[`${name} of ${tenant.canary}`] = await rowsOf(this.admin, sql.raw(name), tenant);
      }
    }
    return all;
  }

  /** What was written for one tenant must not hold words of another either. */
  async strangersInRows(): Promise<string[]> {
    const tenantById = new Map(this.tenants.map((tenant) => [tenant.id, tenant]));
    const found: string[] = [];
    for (const { name } of await tenantTables(this.admin)) {
      const { rows } = await this.admin.withDirectory((db) =>
        sql<{ id: string; row: string }>`
          select tenant_id as id, t::text as row from ${sql.raw(name)} as t`.execute(db),
      );
      for (const { id, row } of rows) {
        found.push(
          ...this.#strangersIn(row, tenantById.get(id)).map((word) => `${name}: ${around(row, word)}`),
        );
      }
    }
    return found;
  }

  async #call(kind: string, own: Tenant, other: Tenant, how: "calmly" | "impatiently"): Promise<void> {
    this.counts.calls += 1;
    const made = kinds[kind]?.(own, other, this.counts.calls) ?? [];
    const call = Array.isArray(made) ? { argv: made } : made;
    const requestId = `call-${this.counts.calls}-${randomUUID()}`;
    this.#callers.set(requestId, own);
    const streams = random() < 0.2;
    const request = {
      method: call.get === undefined ? "POST" : "GET",
      headers: {
        authorization: `Bearer ${own.tokens[call.as ?? (random() < 0.7 ? "administrator" : "member")]}`,
        [headerNames.requestId]: requestId,
        ...(call.get === undefined ? { "content-type": "application/json" } : {}),
        ...(call.idempotencyKey ? { [headerNames.idempotencyKey]: call.idempotencyKey } : {}),
        ...(streams && call.argv ? { accept: ndjsonMediaType } : {}),
      },
      ...(call.argv ? { body: JSON.stringify({ argv: call.argv, want: pick(["text", "data"]) }) } : {}),
      ...(call.post ? { body: JSON.stringify(call.post.body) } : {}),
      ...(how === "impatiently" ? { signal: AbortSignal.timeout(Math.floor(random() * 25)) } : {}),
    };
    const line = `${kind} (${JSON.stringify(call)}) of ${own.canary}`;
    try {
      const answer = await fetch(this.#address + (call.get ?? call.post?.path ?? "/api/v1/cli"), request);
      const body = await answer.text();
      this.#examine(kind, line, own, answer, body);
    } catch (error) {
      if ((error as Error).name === "TimeoutError") this.counts.aborted += 1;
      else this.#report(`${line}: ${(error as Error).message} ${(error as Error).cause}`);
    }
  }

  #examine(kind: string, line: string, own: Tenant, answer: Response, body: string): void {
    const text = `${body}\n${JSON.stringify([...answer.headers])}`;
    for (const word of this.#strangersIn(text, own)) this.#report(`${line} was shown ${around(text, word)}`);
    if (text.includes(own.canary)) this.counts.withOwnCanary += 1;

    const last = JSON.parse(body.trim().split("\n").at(-1) ?? "") as {
      kind?: string;
      status?: number;
      exitCode?: number;
      data?: { id?: string; slug?: string; token?: string };
      operation?: string;
      preview?: { token: string };
    };
    const status = last.kind === "problem" ? (last.status ?? 0) : answer.status;
    if (status === 503) this.counts.unavailable += 1;
    else if (status >= 500 || status === 401) this.#report(`${line}: ${status} ${body}`);
    if (status !== 200) return;

    if (Object.hasOwn(refusedCalls, kind) && !body.includes('"kind":"help"')) {
      this.#report(`${line} was done: ${body}`);
    }
    // Such as that of an audit chain in which somebody else's entries are.
    if (last.exitCode) this.#report(`${line} ended with exit code ${last.exitCode}: ${body}`);
    this.#succeeded.add(kind);
    if (last.operation) own.operations.push(last.operation);
    if (last.preview) own.previews.push(last.preview.token);
    if (kind === "create" && last.data?.slug) own.workspaces.push(last.data.slug);
    if (kind === "create token" && last.data?.id) own.credentials.push(last.data.id);
  }

  #readLogLine(line: string): void {
    this.counts.logLines += 1;
    const { requestId, reqId, tenant } = JSON.parse(line) as Record<string, string | undefined>;
    const caller = this.#callers.get(requestId ?? reqId ?? "");
    for (const word of this.#strangersIn(line, caller)) this.#report(`the log shows ${around(line, word)}`);
    if (tenant !== undefined && tenant !== caller?.id) this.#report(`the log mixes tenants: ${line}`);
  }

  /** Canaries, whole or cut short by a narrow column, and tenant ids, that are not the tenant's own. */
  #strangersIn(text: string, own: Tenant | undefined): string[] {
    const canaries = text.match(/canary[0-9a-f]*/gi) ?? [];
    const ids = text.match(/tenant_[0-9a-z]{26}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? [];
    return [
      ...canaries.filter((word) => !own?.canary.startsWith(word.toLowerCase())),
      ...ids.filter((id) => this.#tenantOfId.has(id) && this.#tenantOfId.get(id) !== own),
    ];
  }

  async #killConnections(): Promise<void> {
    const { rows } = await this.admin.withDirectory((db) =>
      sql`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and usename = 'svc_app'`.execute(db),
    );
    this.counts.killed += rows.length;
  }

  /** Calls whose caller went away may still run. */
  async #quiet(): Promise<void> {
    for (let calm = 0; calm < 5; calm += 1) {
      const { total, idle, waiting } = this.backend.database.usage;
      if (idle < total || waiting > 0) calm = 0;
      await sleep(20);
    }
  }
}

function around(text: string, word: string): string {
  const place = text.indexOf(word);
  return text.slice(Math.max(0, place - 200), place + 200);
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const lane = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
}

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

async function settle(admin: Database): Promise<Tenant[]> {
  const tenants: Tenant[] = [];
  for (let index = 0; index < tenantCount; index += 1) tenants.push(await settleOne(admin, index));
  return tenants;
}

async function settleOne(admin: Database, index: number): Promise<Tenant> {
  const canary = `canary${randomBytes(8).toString("hex")}`;
  const id = randomUUID();
  const vault = { id: randomUUID(), slug: `vault-${index}` };
  const guest = { id: randomUUID(), email: `guest-${index}@example.com` };
  const isBystander = index < bystanderCount;
  const ofTenant = <Row extends object>(row: Row) => ({ tenant_id: id, ...row });
  const credential = (name: string, principalId: string) => {
    const secret = newSecret();
    const row = {
      id: randomUUID(),
      principal_id: principalId,
      name,
      secret_hash: hashSecret(secret),
      scopes: ["*"],
    };
    return { row: ofTenant(row), token: formatServiceToken({ credentialId: row.id, secret }) };
  };
  const spare = credential(`${canary} spare`, guest.id);
  const administrator = credential(`${canary} root`, twins.root);
  const member = credential(`${canary} member`, twins.member);
  const outsider = credential(`${canary} outsider`, twins.outsider);
  const shared = credential("shared-token", twins.person);

  await admin.withDirectory(async (db) => {
    await db
      .insertInto("control.tenant")
      .values(ofTenant({ name: `${canary} Inc`, slug: `tenant-${index}`, cell_id: "one" }))
      .execute();
    await db
      .insertInto("app.principal")
      .values([
        ofTenant({
          id: twins.root,
          kind: "service",
          name: `${canary} root`,
          is_administrator: true,
          email: null,
        }),
        ...[
          { id: twins.member, name: `${canary} member`, email: "member@example.com" },
          { id: twins.person, name: `${canary} person`, email: "shared@example.com" },
          { id: twins.outsider, name: `${canary} outsider`, email: "outsider@example.com" },
          { ...guest, name: `${canary} guest` },
        ].map((row) => ofTenant({ ...row, kind: "user", is_administrator: false })),
      ])
      .execute();
    await db
      .insertInto("app.workspace")
      .values(
        [
          { id: twins.common, name: `${canary} common`, slug: "common" },
          { id: twins.sandbox, name: `${canary} sandbox`, slug: "sandbox" },
          { ...vault, name: `${canary} vault` },
          ...(isBystander ? [{ id: randomUUID(), name: `${canary} elsewhere`, slug: "elsewhere" }] : []),
        ].map(ofTenant),
      )
      .execute();
    await db
      .insertInto("app.membership")
      .values(
        [
          { workspace_id: twins.common, principal_id: twins.member, role: "owner" },
          { workspace_id: twins.common, principal_id: twins.person, role: "viewer" },
          { workspace_id: twins.sandbox, principal_id: twins.member, role: "owner" },
          { workspace_id: vault.id, principal_id: twins.member, role: "owner" },
          ...(isBystander
            ? [{ workspace_id: twins.common, principal_id: twins.outsider, role: "editor" }]
            : []),
        ].map(ofTenant),
      )
      .execute();
    await db
      .insertInto("control.credential")
      .values([administrator, member, outsider, spare, shared].map(({ row }) => row))
      .execute();
    await db
      .insertInto("app.operation")
      .values(
        ofTenant({
          id: twins.operation,
          actor_id: twins.member,
          command: "workspaces rename",
          undo_payload: JSON.stringify({
            id: twins.sandbox,
            version: 1,
            name: `${canary} sand`,
            slug: "sand",
          }),
          changes: JSON.stringify([{ action: "update", type: "workspace", name: `${canary} sandbox` }]),
        }),
      )
      .execute();
    await db
      .insertInto("control.identity")
      .values(ofTenant({ issuer: "https://login.example", subject: canary, principal_id: guest.id }))
      .execute();
    await db
      .insertInto("control.admission")
      .values(ofTenant({ issuer: "https://login.example", claim: "company", value: canary }))
      .execute();
  });
  return {
    id,
    canary,
    tokens: { administrator: administrator.token, member: member.token, outsider: outsider.token },
    vault,
    guest,
    spareCredential: spare.row.id,
    workspaces: [],
    operations: [],
    credentials: [],
    previews: [],
  };
}
