import { randomUUID } from "node:crypto";
import { Database } from "@svc/database/database";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { TestBackend, type TestTenant } from "../../../testing/test-backend.ts";
import { authenticator } from "./authenticate.ts";
import { formatServiceToken, hashSecret, newSecret } from "./service-token.ts";

const lines: string[] = [];
let backend: TestBackend;
let tenant: TestTenant;
let admin: Database;
/** Milliseconds that have passed for the caches. */
let skew = 0;

beforeAll(async () => {
  backend = await TestBackend.start({
    logTo: { write: (line) => lines.push(line) },
    now: () => skew,
  });
  tenant = await backend.addTenant("Kumo");
  admin = new Database({ url: backend.testDatabase.adminUrl, maxConnections: 1 });
});
afterAll(async () => {
  await admin.close();
  await backend.close();
});

async function addCredential(
  options: { expiresAt?: Date; allowedNetworks?: string[]; tenantId?: string } = {},
) {
  const { tenantId = tenant.id, ...rest } = options;
  const secret = newSecret();
  return backend.provision(async (provisioner) => {
    const principalId = await provisioner.addPrincipal(tenantId, { kind: "service", name: "account" });
    const credential = { principalId, name: "token", secretHash: hashSecret(secret), ...rest };
    const id = await provisioner.addCredential(tenantId, credential);
    return { id, principalId, secret, token: formatServiceToken({ credentialId: id, secret }) };
  });
}

/** Every refused value of the header. */
async function refusedHeaders(): Promise<Record<string, string | undefined>> {
  const good = await addCredential();
  const expired = await addCredential({ expiresAt: new Date(Date.now() - 1_000) });
  const elsewhere = await addCredential({ allowedNetworks: ["192.0.2.0/24", "2001:db8::/32"] });
  const revoked = await addCredential();
  const disabled = await addCredential();
  const group = await addCredential();
  const closed = await backend.addTenant("Closed");
  await admin.withDirectory(async (db) => {
    await sql`update control.credential set revoked_at = now() where id = ${revoked.id}`.execute(db);
    await sql`update app.principal set disabled_at = now() where id = ${disabled.principalId}`.execute(db);
    await sql`update app.principal set kind = 'group' where id = ${group.principalId}`.execute(db);
    await sql`update control.tenant set disabled_at = now() where tenant_id = ${closed.id}`.execute(db);
  });
  return {
    "no header": undefined,
    "an empty header": "",
    "no token": "Bearer ",
    "another scheme": `Basic ${Buffer.from(`svc:${good.token}`).toString("base64")}`,
    "no scheme": good.token,
    "two tokens": `Bearer ${good.token}, Bearer ${good.token}`,
    "something behind it": `Bearer ${good.token} `,
    "a control character": `Bearer ${good.token}\u0001`,
    "a letter beyond ASCII": `Bearer ${good.token}é`,
    garbage: "Bearer %00%ff../../etc/passwd'\"--",
    "a JWT without a provider": "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.",
    "100 kB": `Bearer ${good.token}${"0".repeat(100_000)}`,
    "a typing error": `Bearer ${good.token.slice(0, -1)}${good.token.endsWith("0") ? "1" : "0"}`,
    "an unknown id": `Bearer ${formatServiceToken({ credentialId: randomUUID(), secret: newSecret() })}`,
    "a wrong secret": `Bearer ${formatServiceToken({ credentialId: good.id, secret: newSecret() })}`,
    expired: `Bearer ${expired.token}`,
    revoked: `Bearer ${revoked.token}`,
    "a wrong secret of a disabled account": `Bearer ${formatServiceToken({ credentialId: disabled.id, secret: newSecret() })}`,
    "a disabled tenant": `Bearer ${closed.token}`,
    "a group, which never acts": `Bearer ${group.token}`,
    "another network": `Bearer ${elsewhere.token}`,
  };
}

test("every refusal gives the same answer, byte for byte", async () => {
  const headers = await refusedHeaders();
  const answers = await Promise.all(
    Object.entries(headers).map(async ([reason, authorization]) => {
      const { statusCode, payload, headers } = await backend.server.inject({
        method: "POST",
        url: "/api/v1/cli",
        headers: authorization === undefined ? {} : { authorization },
        payload: { argv: ["whoami"] },
      });
      const { "x-request-id": requestId = "", date, ...others } = headers;
      return [reason, { statusCode, payload: payload.replace(String(requestId), "…"), ...others }] as const;
    }),
  );
  const [, first] = answers[0] ?? [];
  expect(first).toMatchObject({
    statusCode: 401,
    "www-authenticate": "Bearer",
    "cache-control": "no-store",
    "content-type": expect.stringContaining("application/problem+json"),
    payload: JSON.stringify({
      type: "urn:svc:problem:unauthenticated",
      title: "Not authenticated",
      status: 401,
      code: "unauthenticated",
      detail: "This request needs a valid credential.",
      hint: "Set SVC_SA_TOKEN to a service-account token that is neither expired nor revoked. A session also needs its ticket.",
      exitCode: 10,
      requestId: "…",
    }),
  });
  for (const [reason, answer] of answers) expect({ reason, answer }).toEqual({ reason, answer: first });
});

test("a valid credential of a disabled account is told so, without a challenge to try another", async () => {
  const { principalId, token } = await addCredential();
  await admin.withDirectory((db) =>
    sql`update app.principal set disabled_at = now() where id = ${principalId}`.execute(db),
  );
  const { statusCode, headers, body } = await backend.server.inject({
    url: "/api/v1/context",
    headers: { authorization: `Bearer ${token}` },
  });
  expect(JSON.parse(body)).toMatchObject({ code: "not_permitted", detail: "Your account is disabled." });
  expect([statusCode, headers["www-authenticate"]]).toEqual([403, undefined]);
});

test("the scheme is case-insensitive, as in RFC 9110", async () => {
  for (const scheme of ["Bearer", "bearer", "BEARER"]) {
    const { statusCode } = await backend.server.inject({
      url: "/api/v1/context",
      headers: { authorization: `${scheme} ${tenant.token}` },
    });
    expect(statusCode).toBe(200);
  }
});

test("stops at the first check that accepts a credential, and never skips an error", async () => {
  const caller = { actor: {} } as never;
  const later = vi.fn(async () => caller);
  const refusing = vi.fn(async () => undefined);
  const presented = { authorization: "Bearer something", address: "::1" };
  expect(await authenticator([async () => caller, later])(presented)).toBe(caller);
  expect(later).not.toHaveBeenCalled();
  expect(await authenticator([refusing, later])(presented)).toBe(caller);
  expect(refusing).toHaveBeenCalledWith("something", "::1", undefined);
  const broken = async () => {
    throw new Error("the database is gone");
  };
  await expect(authenticator([broken, later])(presented)).rejects.toThrow("the database is gone");
});

test("ignores anything longer than our credentials", async () => {
  const check = vi.fn(async () => undefined);
  const authenticate = authenticator([check]);
  for (const length of [8_192, 8_193, 100_000]) {
    const authorization = `Bearer ${"a".repeat(length)}`;
    await expect(authenticate({ authorization, address: "::1" })).rejects.toMatchObject({
      code: "unauthenticated",
    });
  }
  expect(check).toHaveBeenCalledTimes(1);
});

test("a revoked token is refused everywhere within ten seconds", async () => {
  const { token } = await backend.run<{ token: string }>(tenant.token, "tokens create leaked");
  expect((await backend.type(token, "whoami")).status).toBe(200);
  await backend.run(tenant.token, "tokens revoke leaked");
  skew += 9_000;
  expect((await backend.type(token, "whoami")).status).toBe(401);
});

describe("the row decides who is calling, whatever the request claims", () => {
  const claims = (other: string) => ({
    "x-tenant-id": other,
    "x-actor-id": randomUUID(),
    "x-actor-kind": "human",
    "x-forwarded-for": "192.0.2.1",
    forwarded: "for=192.0.2.1",
  });

  test("in headers and in the query", async () => {
    const other = await backend.addTenant("Other");
    const agent = await tenant.addPerson("Agent", { kind: "ai" });
    const { body } = await backend.type(agent.token, "whoami", { headers: claims(other.id) });
    expect(body.data).toMatchObject({
      kind: "ai",
      name: "Agent",
      tenantName: "Kumo",
      isAdministrator: false,
    });

    const answer = await backend.server.inject({
      url: `/api/v1/context?tenantId=${other.id}&tenant_id=${other.id}&actorKind=human&X-Tenant-Id=${other.id}`,
      headers: { authorization: `Bearer ${agent.token}`, ...claims(other.id) },
    });
    expect(answer.json()).toMatchObject({ actor: { kind: "ai" }, tenant: { name: "Kumo" } });
  });

  test("in the body, which refuses unknown fields", async () => {
    const claimed = { tenantId: randomUUID(), actorKind: "human", isAdministrator: true };
    for (const [field, value] of Object.entries(claimed)) {
      const { status } = await backend.type(tenant.token, "whoami", { request: { [field]: value } });
      expect({ field, status }).toEqual({ field, status: 400 });
    }
  });

  test("a claimed address does not unlock a token of another network", async () => {
    const { token } = await addCredential({ allowedNetworks: ["192.0.2.0/24"] });
    const { status } = await backend.type(token, "whoami", { headers: claims(tenant.id) });
    expect(status).toBe(401);
    const { statusCode } = await backend.server.inject({
      url: "/api/v1/context",
      headers: { authorization: `Bearer ${token}` },
      remoteAddress: "::ffff:192.0.2.1",
    });
    expect(statusCode).toBe(200);
  });

  test("logs an X-Tenant-Id that was sent", async () => {
    const requestId = randomUUID();
    await backend.type(tenant.token, "whoami", {
      headers: { "x-tenant-id": randomUUID(), "x-request-id": requestId },
    });
    const about = lines.filter((line) => line.includes(requestId) && line.includes("X-Tenant-Id"));
    expect(about).toHaveLength(1);
  });
});

describe("a token cannot pass on more than it has", () => {
  test("`tokens create` refuses scopes that the caller lacks, and creates nothing", async () => {
    const { token } = await tenant.addPerson("Narrow", {
      isAdministrator: true,
      scopes: ["tokens:write", "tokens:read", "workspaces:read"],
    });
    for (const scope of ["*", "workspaces:write", "audit:read"]) {
      const { status, body } = await backend.type(token, ["tokens", "create", "wider", "--scope", scope]);
      expect([status, body.code]).toEqual([403, "not_permitted"]);
    }
    expect((await backend.type(token, "tokens create wider")).body.code).toBe("not_permitted");
    const { items } = await backend.run<{ items: { name: string }[] }>(token, "tokens list --limit 200");
    expect(items.map(({ name }) => name)).not.toContain("wider");

    const made = await backend.run<{ token: string }>(token, "tokens create equal --scope workspaces:read");
    expect(await backend.run(made.token, "whoami")).toMatchObject({ scopes: ["workspaces:read"] });
  });

  test("`tokens rotate` gives nobody the secret of a token that can do more", async () => {
    const { token } = await tenant.addPerson("Rotator", { isAdministrator: true, scopes: ["tokens:write"] });
    const { status, body } = await backend.type(token, "tokens rotate root");
    expect([status, body.code]).toEqual([403, "not_permitted"]);
    expect((await backend.type(token, "tokens rotate Rotator")).status).toBe(200);
  });

  test("nobody but an administrator creates, rotates or revokes", async () => {
    const { token } = await tenant.addPerson("Person");
    for (const line of ["tokens create mine", "tokens rotate Person", "tokens revoke Person"]) {
      const { status, body } = await backend.type(token, line);
      expect([line, status, body.code]).toEqual([line, 403, "not_permitted"]);
    }
  });
});
