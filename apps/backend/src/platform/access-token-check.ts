import type { Database, TenantTransaction } from "@svc/database/database";
import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from "jose";
import { sql } from "kysely";
import type { CredentialCheck } from "./authenticate.ts";
import type { Caller } from "./caller.ts";
import type { Log } from "./log.ts";
import { loadActor } from "./principal.ts";
import { credentialCacheMillis } from "./service-token-check.ts";
import { ShortCache } from "./short-cache.ts";

export interface IdentityProvider {
  issuer: string;
  audience: string;
}

type Person = Pick<Caller, "actor" | "tenant">;

/** Access tokens of the identity provider (RFC 9068): signature, issuer, audience, type; then issuer + subject → user. */
export function accessTokenCheck(database: Database, provider: IdentityProvider, log: Log): CredentialCheck {
  const people = new ShortCache<Person | undefined>(credentialCacheMillis);
  const keys = discoverKeys(provider.issuer);

  return async (bearer) => {
    if (bearer.split(".").length !== 3) return undefined;
    const claims = await verify(bearer, provider, keys, log);
    if (claims?.sub === undefined) return undefined;
    const subject = claims.sub;
    const person = await people.get(subject, async () => {
      return (
        (await findPerson(database, provider.issuer, subject)) ?? admit(database, provider.issuer, claims)
      );
    });
    if (!person) return undefined;
    return {
      ...person,
      credential: {
        kind: "access_token",
        ...(claims.exp === undefined ? {} : { expiresAt: new Date(claims.exp * 1_000) }),
      },
      scopes: ["*"],
    };
  };
}

async function verify(
  bearer: string,
  { issuer, audience }: IdentityProvider,
  keys: JWTVerifyGetKey,
  log: Log,
): Promise<JWTPayload | undefined> {
  try {
    const { payload } = await jwtVerify(bearer, keys, {
      issuer,
      audience,
      typ: "at+jwt",
      // Asymmetric only: with an HMAC algorithm allowed, anybody who knows the public key could sign.
      algorithms: ["RS256", "PS256", "ES256", "EdDSA"],
      requiredClaims: ["sub", "exp", "iat"],
      clockTolerance: 5,
    });
    return payload;
  } catch (error) {
    if (!(error instanceof errors.JOSEError) || error instanceof errors.JWKSTimeout) {
      log.error({ err: error }, "keys of the identity provider cannot be read");
    }
    return undefined;
  }
}

/** The key set's address comes from the provider's own discovery document, asked for at the first token. */
function discoverKeys(issuer: string): JWTVerifyGetKey {
  let keys: Promise<JWTVerifyGetKey> | undefined;
  return async (header, token) => {
    keys ??= discover(issuer).catch((error: unknown) => {
      keys = undefined;
      throw error;
    });
    return (await keys)(header, token);
  };
}

async function discover(issuer: string): Promise<JWTVerifyGetKey> {
  const address = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const answer = await fetch(address, { signal: AbortSignal.timeout(5_000), redirect: "error" });
  const document = (await answer.json()) as { issuer?: string; jwks_uri?: string };
  if (document.issuer !== issuer || document.jwks_uri === undefined) {
    throw new Error("the provider's discovery document is not for this issuer");
  }
  return createRemoteJWKSet(new URL(document.jwks_uri), { timeoutDuration: 5_000, cooldownDuration: 10_000 });
}

async function findPerson(database: Database, issuer: string, subject: string): Promise<Person | undefined> {
  const row = await database.withDirectory(async (db) => {
    const { rows } = await sql<{ tenant_id: string; tenant_name: string; principal_id: string }>`
      select * from control.find_identity(${issuer}, ${subject})`.execute(db);
    return rows[0];
  });
  const actor = row && (await loadActor(database, row.tenant_id, row.principal_id));
  return row && actor && { actor, tenant: { id: row.tenant_id, name: row.tenant_name } };
}

/** Just-in-time membership: where a rule of the directory matches the verified claims, the person joins its tenant. */
async function admit(database: Database, issuer: string, claims: JWTPayload): Promise<Person | undefined> {
  const rule = await database.withDirectory(async (db) => {
    const { rows } = await sql<{
      tenant_id: string;
      workspace_id: string | null;
      workspace_role: string | null;
    }>`
      select * from control.find_admission(${issuer}, ${JSON.stringify(admissionClaims(claims))}::jsonb)`.execute(
      db,
    );
    return rows[0];
  });
  const subject = claims.sub;
  if (!rule || subject === undefined) return undefined;
  const scope = { tenantId: rule.tenant_id, actorId: systemActor };
  await database.withTenant(scope, "write", async (transaction) => {
    // Two first requests at once: the second finds the identity and adds nobody.
    await sql`select pg_advisory_xact_lock(hashtext(${`${issuer} ${subject}`}))`.execute(transaction.db);
    const known = await transaction.db
      .selectFrom("control.identity")
      .select("principal_id")
      .where("tenant_id", "=", rule.tenant_id)
      .where("issuer", "=", issuer)
      .where("subject", "=", subject)
      .executeTakeFirst();
    if (!known) await join(transaction, issuer, subject, claims, rule);
  });
  return findPerson(database, issuer, subject);
}

async function join(
  { db, tenantId }: TenantTransaction,
  issuer: string,
  subject: string,
  claims: JWTPayload,
  rule: { workspace_id: string | null; workspace_role: string | null },
): Promise<void> {
  const email = claims.email_verified === true && typeof claims.email === "string" ? claims.email : null;
  const name = typeof claims.name === "string" ? claims.name : (email ?? subject);
  // Somebody who was invited by address is that user already.
  const { id } = await db
    .insertInto("app.principal")
    .values({ tenant_id: tenantId, kind: "user", name: name.slice(0, 200), email })
    .onConflict((conflict) =>
      conflict
        .columns(["tenant_id"])
        .expression(sql`lower(email)`)
        .where("email", "is not", null)
        .doUpdateSet((row) => ({ version: row.ref("app.principal.version") })),
    )
    .returning("id")
    .executeTakeFirstOrThrow();
  await db
    .insertInto("control.identity")
    .values({ tenant_id: tenantId, issuer, subject, principal_id: id })
    .execute();
  if (rule.workspace_id !== null && rule.workspace_role !== null) {
    await db
      .insertInto("app.membership")
      .values({
        tenant_id: tenantId,
        workspace_id: rule.workspace_id,
        principal_id: id,
        role: rule.workspace_role,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** Only text claims count; an address counts as its domain, and only where the provider verified it. */
function admissionClaims({ email, email_verified: verified, ...rest }: JWTPayload): Record<string, string> {
  const texts = Object.entries(rest).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  const domain =
    typeof email === "string" && verified === true ? email.split("@").at(-1)?.toLowerCase() : undefined;
  return { ...Object.fromEntries(texts), ...(domain === undefined ? {} : { email: domain }) };
}

/** Stands for the service itself where nobody is signed in yet. */
const systemActor = "00000000-0000-0000-0000-000000000000";
