import { timingSafeEqual } from "node:crypto";
import { BlockList, isIPv6 } from "node:net";
import type { Database } from "@svc/database/database";
import { sql } from "kysely";
import type { Log } from "../process/log.ts";
import { accountDisabled } from "./account-disabled.ts";
import type { CredentialCheck } from "./authenticate.ts";
import type { Caller } from "./caller.ts";
import { loadActor } from "./principal.ts";
import { hashSecret, parseServiceToken } from "./service-token.ts";
import { matchesTicket } from "./session-ticket.ts";
import { ShortCache } from "./short-cache.ts";

interface StoredCredential {
  secretHash: Buffer;
  previousSecretHash: Buffer | null;
  previousSecretExpiresAt: Date | null;
  expiresAt: Date | null;
  allowed: BlockList | undefined;
  /** Of a session. */
  ticketHash: Buffer | null;
  caller: Caller;
  isDisabled: boolean;
}

export const credentialCacheMillis = 5_000;
const touchEveryMillis = 60_000;
const nobody = Buffer.alloc(32);

/** Service-account tokens: checksum, lookup (cached), constant-time compare, expiry, network, ticket of a session. */
export function serviceTokenCheck(
  database: Database,
  log: Log,
  now: () => number = () => performance.now(),
): CredentialCheck {
  const cache = new ShortCache<StoredCredential | undefined>(credentialCacheMillis, undefined, now);
  const touched = new ShortCache<void>(touchEveryMillis, undefined, now);

  return async (bearer, address, ticket) => {
    const token = parseServiceToken(bearer);
    if (!token) return undefined;
    const presented = hashSecret(token.secret);
    // Keyed by secret too: a freshly rotated secret must not be compared with the row from before.
    const key = `${token.credentialId} ${presented.toString("base64url")}`;
    const stored = await cache.get(key, () => loadCredential(database, token.credentialId));
    // Compared even if nothing was found, so that an unknown id takes as long as a wrong secret.
    const matches = matchesSecret(stored, presented);
    if (!stored || !matches || isPast(stored.expiresAt)) return undefined;
    if (stored.allowed && !stored.allowed.check(...toFamily(address))) return undefined;
    // Without its ticket it is nobody's: leaving the header out ends access instead of widening it.
    // guard: sessions-need-their-ticket
    if (stored.ticketHash && !matchesTicket(stored.ticketHash, ticket)) return undefined;
    if (stored.isDisabled) {
      // Not cached, so that an enabled account works at once.
      cache.forget(key);
      throw accountDisabled();
    }
    void touched
      .get(token.credentialId, () => touch(database, token.credentialId))
      .catch((error: unknown) => log.warn({ err: error }, "could not record the last use of a credential"));
    return stored.caller;
  };
}

/** Also of one that has expired. */
export async function loadCredential(
  database: Database,
  credentialId: string,
): Promise<StoredCredential | undefined> {
  const row = await database.withDirectory(async (db) => {
    const { rows } = await sql<{
      tenant_id: string;
      tenant_name: string;
      principal_id: string;
      secret_hash: Buffer;
      previous_secret_hash: Buffer | null;
      previous_secret_expires_at: Date | null;
      scopes: string[];
      allowed_networks: string[];
      default_workspace_id: string | null;
      expires_at: Date | null;
      ticket_hash: Buffer | null;
      person_id: string | null;
      workspace_id: string | null;
      commands: string[] | null;
    }>`select * from control.find_bearer(${credentialId})`.execute(db);
    return rows[0];
  });
  const account = row && (await loadActor(database, row.tenant_id, row.principal_id));
  if (!row || !account) return undefined;
  const person = row.person_id === null ? undefined : await loadActor(database, row.tenant_id, row.person_id);
  if (row.person_id !== null && !person) return undefined;
  return {
    isDisabled: account.isDisabled || (person?.isDisabled ?? false),
    ticketHash: row.ticket_hash,
    secretHash: row.secret_hash,
    previousSecretHash: row.previous_secret_hash,
    previousSecretExpiresAt: row.previous_secret_expires_at,
    expiresAt: row.expires_at,
    allowed: toAllowList(row.allowed_networks),
    caller: {
      actor: {
        ...account.actor,
        ...(person && { onBehalfOf: { ...person.actor, workspaceId: row.workspace_id ?? undefined } }),
      },
      tenant: { id: row.tenant_id, name: row.tenant_name },
      credential: {
        kind: "service_account_token",
        id: credentialId,
        expiresAt: row.expires_at ?? undefined,
        allowedNetworks: row.allowed_networks,
      },
      scopes: row.scopes,
      ...(row.commands && row.commands.length > 0 ? { commands: row.commands } : {}),
      defaultWorkspaceId: row.default_workspace_id ?? undefined,
    },
  };
}

function matchesSecret(stored: StoredCredential | undefined, presented: Buffer): boolean {
  const current = timingSafeEqual(stored?.secretHash ?? nobody, presented);
  const previous = timingSafeEqual(stored?.previousSecretHash ?? nobody, presented);
  const inGrace = stored !== undefined && !isPast(stored.previousSecretExpiresAt);
  return current || (previous && inGrace);
}

export function isPast(moment: Date | null): boolean {
  return moment !== null && moment.getTime() <= Date.now();
}

function toAllowList(networks: readonly string[]): BlockList | undefined {
  if (networks.length === 0) return undefined;
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", bits = ""] = network.split("/");
    list.addSubnet(address, Number(bits), isIPv6(address) ? "ipv6" : "ipv4");
  }
  return list;
}

function toFamily(address: string): [string, "ipv4" | "ipv6"] {
  return [address, isIPv6(address) ? "ipv6" : "ipv4"];
}

async function touch(database: Database, credentialId: string): Promise<void> {
  await database.withDirectory((db) => sql`select control.touch_credential(${credentialId})`.execute(db));
}
