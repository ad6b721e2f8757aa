import type { Database } from "@svc/database/database";
import { ProblemError } from "@svc/protocol/problem";
import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from "jose";
import { sql } from "kysely";
import { originOf } from "../process/dependency.ts";
import type { Log } from "../process/log.ts";
import { accountDisabled } from "./account-disabled.ts";
import { admit, type VerifiedClaims } from "./admission.ts";
import { agentCredential, agentOf } from "./agent-of.ts";
import type { CredentialCheck } from "./authenticate.ts";
import type { Caller } from "./caller.ts";
import { loadActor } from "./principal.ts";
import { providerKeys } from "./provider-keys.ts";
import { credentialCacheMillis } from "./service-token-check.ts";
import { ShortCache } from "./short-cache.ts";
import { tokenScopes } from "./token-scopes.ts";

export interface IdentityProvider {
  issuer: string;
  audience: string;
  /** The address of POST /mcp. Tokens for it act for their person there, and nowhere else. */
  agentAudience?: string | undefined;
  /** Client ids whose tokens are accepted. */
  clients: readonly string[] | "any";
  /** Scopes of tokens that name none of ours. */
  defaultScopes: readonly string[];
}

interface Person {
  account: Pick<Caller, "actor" | "tenant">;
  isDisabled: boolean;
}

/** Access tokens of the identity provider (RFC 9068): signature, issuer, audience, type, client; then issuer + subject → user. */
export function accessTokenCheck(
  database: Database,
  provider: IdentityProvider,
  log: Log,
  now?: () => number,
): CredentialCheck {
  return tokenCheck(database, provider, log, {
    now,
    audience: provider.audience,
    admits: true,
    isAccepted(claims) {
      // A token for agents is never a person's, whatever else it is for.
      // guard: agents-tokens-stay-theirs
      if (audiences(claims).some((audience) => audience === provider.agentAudience)) return false;
      if (isOfListedClient(claims, provider.clients)) return true;
      const client = clientOf(claims);
      log.warn({ client }, "an access token was refused: SVC_OIDC_CLIENTS does not list its client");
      return false;
    },
    toCaller: (account, claims) => ({
      ...account,
      credential: { kind: "access_token", expiresAt: expiryOf(claims) },
      scopes: tokenScopes(claims, provider.defaultScopes),
    }),
  });
}

/**
 * Access tokens for agents: the audience is the address of POST /mcp and nothing else (RFC 8707). Any client may have
 * one, because clients of agents are not known beforehand: people consent at the provider, and whatever the token says,
 * an AI member is at work. Scopes have to be asked for, and nobody joins a tenant by an agent.
 */
export function agentTokenCheck(
  database: Database,
  provider: IdentityProvider & { agentAudience: string },
  log: Log,
  now?: () => number,
): CredentialCheck {
  return tokenCheck(database, provider, log, {
    now,
    audience: provider.agentAudience,
    admits: false,
    // guard: agents-tokens-are-for-them
    isAccepted: (claims) => audiences(claims).length === 1,
    toCaller: ({ actor, tenant }, claims) => {
      const scopes = tokenScopes(claims, []);
      if (scopes.length === 0) throw new NoScopes("not_permitted", "This token has none of our scopes.");
      const client = clientOf(claims)?.slice(0, 200) ?? "unknown";
      const id = agentCredential(actor.id, client);
      return {
        actor: agentOf(actor),
        tenant,
        credential: { kind: "agent_access_token", id, client, expiresAt: expiryOf(claims) },
        scopes,
      };
    },
  });
}

/** Signing in again, and asking for scopes, helps. */
export class NoScopes extends ProblemError {}

interface TokenRules {
  /** Milliseconds, for what is cached. */
  now: (() => number) | undefined;
  audience: string;
  /** Whether people join who are not known yet. */
  admits: boolean;
  isAccepted: (claims: VerifiedClaims) => boolean;
  toCaller: (account: Person["account"], claims: VerifiedClaims) => Caller;
}

function tokenCheck(
  database: Database,
  provider: IdentityProvider,
  log: Log,
  { now, audience, admits, isAccepted, toCaller }: TokenRules,
): CredentialCheck {
  const people = new ShortCache<Person | undefined>(credentialCacheMillis, undefined, now);
  const keys = providerKeys(provider.issuer, log, now);

  return async (bearer) => {
    if (bearer.split(".").length !== 3) return undefined;
    const claims = await verify(bearer, { issuer: provider.issuer, audience }, keys, log);
    if (!claims || !isAccepted(claims)) return undefined;
    const find = () => findPerson(database, provider.issuer, claims.sub);
    const person = await people.get(claims.sub, async () => {
      const known = await find();
      // guard: agents-admit-nobody
      if (known || !admits) return known;
      return (await admit(database, provider.issuer, claims, log)) ? find() : undefined;
    });
    if (!person) return undefined;
    if (person.isDisabled) {
      // Not cached, so that an enabled account works at once.
      people.forget(claims.sub);
      throw accountDisabled();
    }
    return toCaller(person.account, claims);
  };
}

function expiryOf({ exp }: JWTPayload): Date | undefined {
  return exp === undefined ? undefined : new Date(exp * 1_000);
}

function audiences({ aud = [] }: JWTPayload): readonly string[] {
  return typeof aud === "string" ? [aud] : aud;
}

function clientOf({ client_id, azp }: JWTPayload): string | undefined {
  const client = client_id ?? azp;
  return client === undefined ? undefined : String(client);
}

async function verify(
  bearer: string,
  { issuer, audience }: Pick<IdentityProvider, "issuer" | "audience">,
  keys: JWTVerifyGetKey,
  log: Log,
): Promise<VerifiedClaims | undefined> {
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
    return hasSubject(payload) ? payload : undefined;
  } catch (error) {
    if (originOf(error) === "provider") throw error;
    if (!(error instanceof errors.JOSEError)) log.error({ err: error }, "cannot check an access token");
    return undefined;
  }
}

/** RFC 9068 names the client `client_id`, OpenID Connect `azp`. A token that names two must have both listed. */
function isOfListedClient({ client_id, azp }: JWTPayload, listed: IdentityProvider["clients"]): boolean {
  if (listed === "any") return true;
  const clients = [client_id, azp].filter((client) => client !== undefined);
  return clients.length > 0 && clients.every((client) => listed.includes(client as string));
}

/** OpenID Connect Core, 2: at most 255 ASCII characters. Other characters might be equal to the database. */
function hasSubject(payload: JWTPayload): payload is VerifiedClaims {
  return typeof payload.sub === "string" && /^[\x21-\x7e]{1,255}$/.test(payload.sub);
}

async function findPerson(database: Database, issuer: string, subject: string): Promise<Person | undefined> {
  const row = await database.withDirectory(async (db) => {
    const { rows } = await sql<{ tenant_id: string; tenant_name: string; principal_id: string }>`
      select * from control.find_identity(${issuer}, ${subject})`.execute(db);
    return rows[0];
  });
  const account = row && (await loadActor(database, row.tenant_id, row.principal_id));
  if (!row || !account) return undefined;
  const tenant = { id: row.tenant_id, name: row.tenant_name };
  return { account: { actor: account.actor, tenant }, isDisabled: account.isDisabled };
}
