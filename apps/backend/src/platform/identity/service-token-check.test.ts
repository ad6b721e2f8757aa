import { randomUUID } from "node:crypto";
import { Database } from "@svc/database/database";
import { waitUntil } from "@svc/testing/wait-until";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { TestBackend, type TestTenant } from "../../../testing/test-backend.ts";
import { createLog } from "../process/log.ts";
import type { CredentialCheck } from "./authenticate.ts";
import { formatServiceToken, hashSecret, newSecret } from "./service-token.ts";
import { serviceTokenCheck } from "./service-token-check.ts";

const log = createLog({ logLevel: "silent", logPretty: false });
let backend: TestBackend;
let tenant: TestTenant;
/** Bypasses every policy, like an operator. */
let admin: Database;
let principalId: string;
let check: CredentialCheck;
/** Milliseconds that have passed for the caches, independent of how long the machine takes. */
let skew = 0;
const now = () => skew;

beforeAll(async () => {
  backend = await TestBackend.start({ now });
  tenant = await backend.addTenant();
  admin = new Database({ url: backend.testDatabase.adminUrl, maxConnections: 3 });
  principalId = (await tenant.addPerson("Rin")).id;
  check = serviceTokenCheck(backend.database, log, now);
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(async () => {
  await admin.close();
  await backend.close();
});

type Options = { expiresAt?: Date; allowedNetworks?: string[] };

async function addCredential(options: Options = {}) {
  const secret = newSecret();
  const credential = { principalId, name: "test", secretHash: hashSecret(secret), ...options };
  const id = await backend.provision((provisioner) => provisioner.addCredential(tenant.id, credential));
  return { id, secret, token: formatServiceToken({ credentialId: id, secret }) };
}

async function lastUse(id: string): Promise<Date | null | undefined> {
  const { rows } = await admin.withDirectory((db) =>
    sql<{ last_used_at: Date | null }>`select last_used_at from control.credential where id = ${id}`.execute(
      db,
    ),
  );
  return rows[0]?.last_used_at;
}

function countingLookups() {
  const lookup = vi.fn(backend.database.withDirectory.bind(backend.database));
  const database = Object.assign(Object.create(backend.database), {
    withDirectory: lookup,
    withTenant: backend.database.withTenant.bind(backend.database),
  }) as Database;
  /** Notes are written in parallel to the answer, and have begun when it comes. */
  const untilNoted = () => Promise.all(lookup.mock.results.map(({ value }) => value));
  return { lookup, untilNoted, counted: serviceTokenCheck(database, log, now) };
}

test("noise and typing errors are refused before any lookup", async () => {
  const untouchable = new Proxy({} as Database, {
    get: () => {
      throw new Error("the database was asked");
    },
  });
  const blind = serviceTokenCheck(untouchable, log);
  const { token } = await addCredential();
  const last = token.at(-1) === "0" ? "1" : "0";
  for (const text of [
    token.slice(0, -1) + last,
    token.slice(0, -1),
    token.toLowerCase(),
    `${token}0`,
    "svc_sa_",
    `svc_sa_${"0".repeat(22)}_${"0".repeat(49)}`,
    "x".repeat(8_000),
    "a.b.c",
  ]) {
    expect(await blind(text, "127.0.0.1")).toBeUndefined();
  }
  await expect(blind(token, "127.0.0.1")).rejects.toThrow("the database was asked");
});

test("the row says who calls, from where, for how long", async () => {
  const expiresAt = new Date(Date.now() + 60_000);
  const { id, token } = await addCredential({ expiresAt, allowedNetworks: ["127.0.0.0/8"] });
  expect(await check(token, "127.0.0.1")).toEqual({
    actor: {
      id: principalId,
      kind: "human",
      name: "Rin",
      email: "rin@tenant-1.example",
      isAdministrator: false,
    },
    tenant: { id: tenant.id, name: "Tenant 1" },
    credential: { kind: "service_account_token", id, expiresAt, allowedNetworks: ["127.0.0.0/8"] },
    scopes: ["*"],
  });
});

test("stores only the SHA-256 of the secret", async () => {
  const { token } = await backend.run<{ token: string }>(tenant.token, "tokens create stored");
  const secret = token.split("_")[3]?.slice(0, 43) ?? "";
  const { rows } = await admin.withDirectory((db) =>
    sql<{ secret_hash: Buffer; whole: string }>`
      select secret_hash, credential::text as whole from control.credential where name = 'stored'`.execute(
      db,
    ),
  );
  expect(rows[0]?.secret_hash).toEqual(hashSecret(secret));
  expect(rows[0]?.whole).not.toContain(secret);
});

test("an unknown id, and the right id with another secret, are refused", async () => {
  const { id, secret } = await addCredential();
  const unknown = formatServiceToken({ credentialId: randomUUID(), secret });
  const wrong = formatServiceToken({ credentialId: id, secret: newSecret() });
  expect(await check(unknown, "127.0.0.1")).toBeUndefined();
  expect(await check(wrong, "127.0.0.1")).toBeUndefined();
});

test("expires by the clock, even while it is cached", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const { token } = await addCredential({ expiresAt: new Date(Date.now() + 1_000) });
  expect(await check(token, "127.0.0.1")).toBeDefined();
  vi.advanceTimersByTime(1_000);
  expect(await check(token, "127.0.0.1")).toBeUndefined();
});

test.for([
  ["10.0.0.0/8", "10.200.3.4", true],
  ["10.0.0.0/8", "11.0.0.1", false],
  ["10.0.0.0/8", "::ffff:10.0.0.1", true],
  ["10.0.0.0/8", "::ffff:a00:1", true],
  ["10.0.0.0/8", "::ffff:11.0.0.1", false],
  ["10.0.0.0/8", "::10.0.0.1", false],
  ["192.0.2.7/32", "192.0.2.7", true],
  ["192.0.2.7/32", "192.0.2.8", false],
  ["2001:db8::/32", "2001:db8:1::1", true],
  ["2001:db8::/32", "2001:db9::1", false],
  ["2001:db8::/32", "10.0.0.1", false],
  ["0.0.0.0/0", "203.0.113.9", true],
  ["0.0.0.0/0", "2001:db8::1", false],
  ["10.0.0.0/8", "fe80::1%eth0", false],
  ["10.0.0.0/8", "unknown", false],
  ["10.0.0.0/8", "", false],
] as const)("a token for %s used from %s: %s", async ([network, address, allowed]) => {
  const { token } = await addCredential({ allowedNetworks: [network] });
  expect((await check(token, address)) !== undefined).toBe(allowed);
});

test("accepts any of several networks", async () => {
  const { token } = await addCredential({ allowedNetworks: ["10.0.0.0/8", "192.0.2.0/24", "2001:db8::/32"] });
  for (const address of ["10.1.1.1", "192.0.2.255", "::ffff:192.0.2.1", "2001:db8::5"]) {
    expect(await check(token, address)).toBeDefined();
  }
  expect(await check(token, "192.0.3.1")).toBeUndefined();
});

test("after a rotation the new secret works at once, and the old one until its grace period ends", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const { token: before } = await backend.run<{ token: string }>(tenant.token, "tokens create rotating");
  // Cached by now, like every token in use.
  expect(await check(before, "127.0.0.1")).toBeDefined();
  const { token: after } = await backend.run<{ token: string }>(
    tenant.token,
    "tokens rotate rotating --grace-hours 1",
  );
  expect(await check(after, "127.0.0.1")).toBeDefined();
  skew += 6_000;
  expect(await check(before, "127.0.0.1")).toBeDefined();
  expect(await check(after, "127.0.0.1")).toBeDefined();

  vi.advanceTimersByTime(3_600_000);
  expect(await check(before, "127.0.0.1")).toBeUndefined();
  expect(await check(after, "127.0.0.1")).toBeDefined();
});

test("a revocation, a disabled account and a disabled tenant take effect within ten seconds", async () => {
  const disabling = await backend.addTenant("Disabling");
  const person = await tenant.addPerson("Leaving");
  const { id, token } = await addCredential();
  for (const each of [token, person.token, disabling.token]) expect(await check(each, "::1")).toBeDefined();
  await admin.withDirectory(async (db) => {
    await sql`update control.credential set revoked_at = now() where id = ${id}`.execute(db);
    await sql`update app.principal set disabled_at = now() where id = ${person.id}`.execute(db);
    await sql`update control.tenant set disabled_at = now() where tenant_id = ${disabling.id}`.execute(db);
  });
  skew += 9_000;
  for (const each of [token, disabling.token]) expect(await check(each, "::1")).toBeUndefined();
  await expect(check(person.token, "::1")).rejects.toThrow("Your account is disabled.");
});

test("an enabled account works at once", async () => {
  const person = await tenant.addPerson("Returning");
  const set = (disabledAt: Date | null) =>
    admin.withDirectory((db) =>
      sql`update app.principal set disabled_at = ${disabledAt} where id = ${person.id}`.execute(db),
    );
  await set(new Date());
  await expect(check(person.token, "::1")).rejects.toThrow("Your account is disabled.");
  await set(null);
  expect(await check(person.token, "::1")).toBeDefined();
});

test("a token in steady use costs one lookup in five seconds", async () => {
  const { token } = await addCredential();
  const { lookup, counted } = countingLookups();
  await Promise.all(Array.from({ length: 20 }, () => counted(token, "127.0.0.1")));
  // One finds the credential, one notes its use.
  await waitUntil(() => expect(lookup).toHaveBeenCalledTimes(2));
  skew += 4_000;
  await counted(token, "127.0.0.1");
  expect(lookup).toHaveBeenCalledTimes(2);
  skew += 1_001;
  await counted(token, "127.0.0.1");
  expect(lookup).toHaveBeenCalledTimes(3);
});

test("records its last use at most once a minute, and only if it was accepted", async () => {
  const { id, secret, token } = await addCredential();
  const { counted, untilNoted } = countingLookups();
  await counted(formatServiceToken({ credentialId: id, secret: newSecret() }), "127.0.0.1");
  await untilNoted();
  expect(await lastUse(id)).toBeNull();

  expect(await counted(token, "127.0.0.1")).toBeDefined();
  await untilNoted();
  const first = await lastUse(id);
  expect(first).toBeInstanceOf(Date);

  skew += 55_000;
  await counted(formatServiceToken({ credentialId: id, secret }), "127.0.0.1");
  await untilNoted();
  expect(await lastUse(id)).toEqual(first);

  skew += 6_000;
  await counted(token, "127.0.0.1");
  await untilNoted();
  expect((await lastUse(id))?.getTime()).toBeGreaterThan(first?.getTime() ?? 0);
});

test("the answer does not wait for the record of its use, nor fail with it", async () => {
  const { id, token } = await addCredential();
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const holding = admin.withDirectory(async (db) => {
    await sql`select 1 from control.credential where id = ${id} for update`.execute(db);
    locked.resolve();
    await held;
  });
  await locked.promise;
  expect(await check(token, "127.0.0.1")).toBeDefined();
  expect(await lastUse(id)).toBeNull();
  letGo();
  await holding;
  await waitUntil(async () => expect(await lastUse(id)).toBeInstanceOf(Date));

  const lines: string[] = [];
  const noted = createLog({ logLevel: "warn", logPretty: false }, { write: (line) => lines.push(line) });
  const withoutNotes = Object.assign(Object.create(backend.database), {
    withTenant: backend.database.withTenant.bind(backend.database),
    withDirectory: vi
      .fn()
      .mockImplementationOnce(backend.database.withDirectory.bind(backend.database))
      .mockRejectedValue(new Error("read only")),
  }) as Database;
  expect(await serviceTokenCheck(withoutNotes, noted)(token, "127.0.0.1")).toBeDefined();
  await waitUntil(() => expect(lines.join()).toContain("could not record the last use of a credential"));
});

test("an unreachable database is an error, not a refusal", async () => {
  const down = new Database({ url: "postgres://svc_app@127.0.0.1:1/none", maxConnections: 1 });
  const { token } = await addCredential();
  await expect(serviceTokenCheck(down, log)(token, "127.0.0.1")).rejects.toThrow();
  await down.close();
});
