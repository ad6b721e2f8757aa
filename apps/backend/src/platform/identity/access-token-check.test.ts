import { createPublicKey } from "node:crypto";
import { Database } from "@svc/database/database";
import { TestIdentityProvider } from "@svc/testing/identity-provider";
import { decodeJwt, type JWTPayload, SignJWT, UnsecuredJWT } from "jose";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { TestBackend, type TestTenant } from "../../../testing/test-backend.ts";
import { createLog } from "../process/log.ts";
import { accessTokenCheck } from "./access-token-check.ts";
import { admit } from "./admission.ts";
import type { CredentialCheck } from "./authenticate.ts";

const lines: string[] = [];
const logTo = { write: (line: string) => lines.push(line) };
const accepted = { clients: ["svc-cli"], defaultScopes: ["*"] };
const verified = (email: string) => ({ email, email_verified: true });
let provider: TestIdentityProvider;
let backend: TestBackend;
let tenant: TestTenant;
let admin: Database;
let workspaceId: string;
/** Milliseconds that have passed for the caches. */
let skew = 0;
const now = () => skew;

beforeAll(async () => {
  // It warns that it is for development only.
  vi.spyOn(console, "warn").mockImplementation(() => {});
  provider = await TestIdentityProvider.start();
  const { issuer, audience } = provider;
  backend = await TestBackend.start({ identityProvider: { issuer, audience, ...accepted }, logTo, now });
  tenant = await backend.addTenant("Kumo");
  admin = new Database({ url: backend.testDatabase.adminUrl, maxConnections: 1 });
  workspaceId = await backend.provision(async (provisioner) => {
    const id = await provisioner.addWorkspace(tenant.id, { name: "Welcome", slug: "welcome" });
    const { issuer } = provider;
    await provisioner.addAdmission(tenant.id, {
      issuer,
      claim: "email",
      value: "kumo.example",
      workspaceId: id,
      role: "viewer",
    });
    await provisioner.addAdmission(tenant.id, { issuer, claim: "org", value: "kumo" });
    return id;
  });
});
afterEach(() => {
  vi.useRealTimers();
  skew += 6_000;
});
afterAll(async () => {
  vi.restoreAllMocks();
  await admin.close();
  await backend.close();
  await provider.close();
});

/** Shares only the database with the others. */
function inAnotherProcess(): CredentialCheck {
  const { issuer, audience } = provider;
  const log = createLog({ logLevel: "warn", logPretty: false }, logTo);
  return accessTokenCheck(backend.database, { issuer, audience, ...accepted }, log, now);
}

async function context(token: string) {
  const answer = await backend.server.inject({
    url: "/api/v1/context",
    headers: { authorization: `Bearer ${token}` },
  });
  return { status: answer.statusCode, body: answer.json() };
}

async function statusOf(token: string): Promise<number> {
  return (await context(token)).status;
}

async function principals(where: { email: string } | { name: string }) {
  const [column, value] = Object.entries(where)[0] ?? ["", ""];
  const { rows } = await admin.withDirectory((db) =>
    sql<{ id: string; email: string | null; name: string; role: string | null; subjects: string[] }>`
      select principal.id, principal.email, principal.name, membership.role,
             (select coalesce(array_agg(subject), '{}') from control.identity
              where principal_id = principal.id) as subjects
      from app.principal left join app.acl_entry as membership on membership.principal_id = principal.id
      where ${sql.ref(`principal.${column}`)} = ${value}`.execute(db),
  );
  return rows;
}

/** Tokens that no provider would issue: with another key, claims or header. */
function signed(claims: JWTPayload, header: Record<string, unknown> = {}): Promise<string> {
  const { kid, alg } = provider.signingKey;
  return new SignJWT(claims)
    .setProtectedHeader({ alg, kid, typ: "at+jwt", ...header })
    .sign(provider.signingKey);
}

describe("a token of the provider", () => {
  test("is a person of the tenant, by issuer and subject", async () => {
    const { accessToken } = await provider.issue("mina", { claims: verified("mina@kumo.example") });
    const { status, body } = await context(accessToken);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      actor: { kind: "human", name: "mina@kumo.example", email: "mina@kumo.example" },
      tenant: { name: "Kumo" },
      credential: {
        kind: "access_token",
        expiresAt: new Date((decodeJwt(accessToken).exp ?? 0) * 1_000).toISOString(),
      },
    });
    const again = await provider.issue("mina");
    expect((await context(again.accessToken)).body.actor.id).toBe(body.actor.id);
  });

  test("is refused if any part of it is wrong", async () => {
    const { accessToken, idToken } = await provider.issue("tomas", { claims: { org: "kumo" } });
    expect(await statusOf(accessToken)).toBe(200);
    const good = decodeJwt(accessToken);
    const { sub, exp, iat, ...rest } = good;
    const [header = "", payload = "", signature = ""] = accessToken.split(".");
    const publicPem = createPublicKey({ key: provider.signingKey as never, format: "jwk" }).export({
      type: "spki",
      format: "pem",
    });
    const stranger = await TestIdentityProvider.start();
    const wrong = {
      "another audience": (await provider.issue("tomas", { audience: "https://other.example" })).accessToken,
      "an ID token": idToken,
      "an ID token for our audience": await signed(good, { typ: "JWT" }),
      "no type": await signed(good, { typ: undefined }),
      "another provider": (
        await stranger.issue("tomas", { audience: provider.audience, claims: { org: "kumo" } })
      ).accessToken,
      "another provider's key under our names": await new SignJWT(good)
        .setProtectedHeader({ alg: "ES256", kid: provider.signingKey.kid, typ: "at+jwt" })
        .sign(stranger.signingKey),
      "another issuer": await signed({ ...good, iss: "https://evil.example" }),
      "an issuer with a slash more": await signed({ ...good, iss: `${provider.issuer}/` }),
      "no audience": await signed({ ...good, aud: undefined as never }),
      "an unknown key": await signed(good, { kid: "unknown" }),
      "a key inside the token": await new SignJWT(good)
        .setProtectedHeader({ alg: "ES256", typ: "at+jwt", jwk: stranger.signingKey as never })
        .sign(stranger.signingKey),
      "no client": await signed({ ...good, client_id: undefined }),
      "a client that is a list": await signed({ ...good, client_id: ["svc-cli"] }),
      "a second client": await signed({ ...good, azp: "another" }),
      "no signature": `${header}.${payload}.`,
      "alg none": new UnsecuredJWT(good).encode(),
      "alg none with our header": `${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString("base64url")}.${payload}.`,
      "HMAC with the public key": await new SignJWT(good)
        .setProtectedHeader({ alg: "HS256", kid: provider.signingKey.kid, typ: "at+jwt" })
        .sign(new TextEncoder().encode(String(publicPem))),
      "a changed payload": `${header}.${Buffer.from(JSON.stringify({ ...good, sub: "mina" })).toString("base64url")}.${signature}`,
      "a changed signature": `${header}.${payload}.${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`,
      "no subject": await signed({ ...rest, exp: exp ?? 0, iat: iat ?? 0 }),
      "an empty subject": await signed({ ...good, sub: "" }),
      "a subject that is a number": await signed({ ...good, sub: 7 as never }),
      "a subject with NUL": await signed({ ...good, sub: "tomas\0" }),
      "no expiry": await signed({ ...rest, sub: sub ?? "", iat: iat ?? 0 }),
      "not valid yet": await signed({ ...good, nbf: Date.now() / 1_000 + 600 }),
      "two parts": `${header}.${payload}`,
      "five parts": `${accessToken}.a.b`,
      "not a JWT": "a.b.c",
    };
    await stranger.close();
    for (const [reason, token] of Object.entries(wrong)) {
      expect({ reason, status: await statusOf(token) }).toEqual({ reason, status: 401 });
    }
    expect(await statusOf(await signed(good))).toBe(200);
  });

  test("is refused after it expires, with the same answer as every other", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 2 * 3_600_000 });
    const { accessToken } = await provider.issue("late", { claims: { org: "kumo" } });
    vi.useRealTimers();
    const { status, body } = await context(accessToken);
    expect(status).toBe(401);
    const { requestId: _, ...nothing } = (await context("nonsense")).body;
    expect(body).toMatchObject(nothing);
  });

  test("is accepted with a key that the provider has just begun to use", async () => {
    const { accessToken: before } = await provider.issue("rotating", { claims: { org: "kumo" } });
    expect(await statusOf(before)).toBe(200);
    provider.rotateKey();
    skew += 11_000;
    const { accessToken: after } = await provider.issue("rotating", { claims: { org: "kumo" } });
    expect(await statusOf(after)).toBe(200);
    expect(await statusOf(before)).toBe(200);
  });
});

describe("joining a tenant", () => {
  test("by the domain of a verified address, with the rule's role in its workspace", async () => {
    const { accessToken } = await provider.issue("rin", {
      claims: { ...verified("Rin@KUMO.example"), name: "Rin \u0007Takahashi\0" },
    });
    expect((await context(accessToken)).body).toMatchObject({
      actor: { name: "Rin Takahashi" },
      workspaces: [{ name: "Welcome", role: "viewer" }],
    });
  });

  test("by the value of a claim, without a workspace if the rule names none", async () => {
    const { accessToken } = await provider.issue("by-claim", { claims: { org: "kumo" } });
    expect((await context(accessToken)).body).toMatchObject({ actor: { name: "by-claim" }, workspaces: [] });
  });

  test.for<[string, Record<string, unknown>]>([
    ["no claim", {}],
    ["an address that is not verified", { email: "eve@kumo.example" }],
    ["an address that is verified as text", { email: "eve@kumo.example", email_verified: "true" }],
    ["another domain", verified("eve@evil.example")],
    ["a domain that ends like ours", verified("eve@notkumo.example")],
    ["our domain in the wrong place", verified("eve@kumo.example@evil.example")],
    ["our domain as the address", verified("kumo.example")],
    ["our domain with the Kelvin sign", verified("eve@\u212Aumo.example")],
    ["a claim in another case", { org: "Kumo" }],
    ["a list that holds the value", { org: ["kumo"] }],
    ["an object", { org: { org: "kumo" } }],
  ])("nobody by %s", async ([name, claims]) => {
    const { accessToken } = await provider.issue(`eve by ${name}`, { claims });
    expect(await statusOf(accessToken)).toBe(401);
    expect(await principals({ email: "eve@kumo.example" })).toEqual([]);
  });

  test("claims that PostgreSQL cannot store make no difference", async () => {
    const claims = { org: "kumo", nul: "\0", half: "\ud800", "key\0": "kumo", name: "\0" };
    const { accessToken } = await provider.issue("odd-claims", { claims });
    expect((await context(accessToken)).body).toMatchObject({ actor: { name: "odd-claims" } });
  });

  test("concurrent first requests, here and in another process, create one user", async () => {
    const claims = { ...verified("at-once@kumo.example"), org: "kumo" };
    const { accessToken } = await provider.issue("at-once", { claims });
    const { accessToken: other } = await provider.issue("at-once-no-mail", { claims: { org: "kumo" } });
    for (const token of [accessToken, other]) {
      const checks = Array.from({ length: 4 }, inAnotherProcess);
      const callers = await Promise.all(
        checks.flatMap((check) => [check(token, "::1"), check(token, "::1")]),
      );
      expect(new Set(callers.map((caller) => caller?.actor.id)).size).toBe(1);
      expect(callers[0]).toBeDefined();
    }
    expect(await principals({ email: "at-once@kumo.example" })).toHaveLength(1);
    expect(await principals({ name: "at-once-no-mail" })).toHaveLength(1);
  });

  test("somebody invited by address becomes that user with the invited role, not a second user", async () => {
    const invited = await backend.provision(async (provisioner) => {
      const person = { kind: "user", name: "Invited", email: "Invited@kumo.example" } as const;
      const id = await provisioner.addPrincipal(tenant.id, person);
      await provisioner.addMember(tenant.id, workspaceId, id, "editor");
      return id;
    });
    const { accessToken } = await provider.issue("invited", { claims: verified("INVITED@kumo.example") });
    expect((await context(accessToken)).body).toMatchObject({
      actor: { name: "Invited" },
      workspaces: [{ role: "editor" }],
    });
    expect(await principals({ email: "Invited@kumo.example" })).toMatchObject([
      { id: invited, subjects: ["invited"] },
    ]);
    expect(await principals({ email: "INVITED@kumo.example" })).toEqual([]);
  });

  test("a new owner of an address does not become its previous owner", async () => {
    const first = await provider.issue("first-owner", { claims: verified("shared@kumo.example") });
    expect(await statusOf(first.accessToken)).toBe(200);
    const next = await provider.issue("next-owner", { claims: verified("shared@kumo.example") });
    expect(await statusOf(next.accessToken)).toBe(401);
    expect(await principals({ email: "shared@kumo.example" })).toMatchObject([{ subjects: ["first-owner"] }]);
    expect(lines.join()).toContain("the address belongs to another subject of this provider");
  });

  test("of two people with one address at once, one joins and the other is refused", async () => {
    const log = createLog({ logLevel: "silent", logPretty: false });
    const admitted = await Promise.all(
      ["one", "two", "three", "four"].map((sub) =>
        admit(backend.database, provider.issuer, { sub, ...verified("contested@kumo.example") }, log),
      ),
    );
    expect(admitted.filter((isIn) => isIn)).toHaveLength(1);
    expect(await principals({ email: "contested@kumo.example" })).toHaveLength(1);
  });

  test("an address never makes somebody a service account or a disabled user", async () => {
    await backend.provision(async (provisioner) => {
      const robot = { kind: "service", name: "Robot", email: "robot@kumo.example" } as const;
      await provisioner.addPrincipal(tenant.id, { ...robot, isAdministrator: true });
      await provisioner.addPrincipal(tenant.id, { kind: "user", name: "Gone", email: "gone@kumo.example" });
    });
    await admin.withDirectory((db) =>
      sql`update app.principal set disabled_at = now() where name = 'Gone'`.execute(db),
    );
    for (const email of ["robot@kumo.example", "gone@kumo.example"]) {
      const { accessToken } = await provider.issue(`to-${email}`, { claims: verified(email) });
      expect(await statusOf(accessToken)).toBe(401);
      expect(await principals({ email })).toMatchObject([{ subjects: [], role: null }]);
    }
  });

  test("people of a disabled tenant do not join another one", async () => {
    const closing = await backend.addTenant("Closing");
    await backend.provision((provisioner) =>
      provisioner.addAdmission(closing.id, { issuer: provider.issuer, claim: "aff", value: "closing" }),
    );
    const claims = { aff: "closing", org: "kumo" };
    const { accessToken } = await provider.issue("of-two", { claims });
    expect((await context(accessToken)).body).toMatchObject({ tenant: { name: "Closing" } });
    await admin.withDirectory((db) =>
      sql`update control.tenant set disabled_at = now() where tenant_id = ${closing.id}`.execute(db),
    );
    skew += 6_000;
    expect(await statusOf(accessToken)).toBe(401);
    expect(await principals({ name: "of-two" })).toHaveLength(1);
  });

  test("a rule whose workspace is gone still lets people in", async () => {
    await backend.provision((provisioner) =>
      provisioner.addAdmission(tenant.id, {
        issuer: provider.issuer,
        claim: "team",
        value: "old",
        workspaceId: "01890000-0000-7000-8000-000000000000",
        role: "editor",
      }),
    );
    const { accessToken } = await provider.issue("old-team", { claims: { team: "old" } });
    expect((await context(accessToken)).body).toMatchObject({ workspaces: [] });
  });

  test("a disabled user is refused at once, and does not join again", async () => {
    const { accessToken } = await provider.issue("leaving", { claims: verified("leaving@kumo.example") });
    expect(await statusOf(accessToken)).toBe(200);
    await admin.withDirectory((db) =>
      sql`update app.principal set disabled_at = now() where email = 'leaving@kumo.example'`.execute(db),
    );
    // No cache interferes, because the transaction sees it.
    expect(await statusOf(accessToken)).toBe(403);
    skew += 9_000;
    expect(await statusOf(accessToken)).toBe(403);
    expect(await principals({ email: "leaving@kumo.example" })).toHaveLength(1);
  });
});

test("while the provider is down, known keys still verify; other tokens are unavailable, not wrong, and the log says why", async () => {
  const { accessToken } = await provider.issue("steady", { claims: { org: "kumo" } });
  expect(await statusOf(accessToken)).toBe(200);
  const unknownKey = await signed(decodeJwt(accessToken), { kid: "new" });
  await provider.close();

  skew += 3_600_000;
  expect(await statusOf(accessToken)).toBe(200);
  expect(await statusOf(unknownKey)).toBe(503);

  lines.length = 0;
  await expect(inAnotherProcess()(accessToken, "::1")).rejects.toMatchObject({ dependency: "provider" });
  expect(lines.join()).toContain("cannot read the keys of the identity provider");
});
