import { BlockList, isIPv6 } from "node:net";
import { missingScopes } from "@svc/command-router/require-may-run";
import { ProblemError } from "@svc/protocol/problem";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import type { Credential } from "./tokens-store.ts";

const day = 24 * 60 * 60 * 1_000;

/** The scopes, networks and expiry of a credential. */
type Limits = Pick<Credential, "scopes" | "allowedNetworks" | "expiresAt">;

/**
 * The limits of the caller's own credential, which bound every credential that the caller creates or rotates. A login is
 * bound by its scopes alone: its access token expires within the hour, but the person can sign in again.
 */
export function ownLimits({ caller }: CommandContext): Limits {
  const { kind, expiresAt, allowedNetworks = [] } = caller.credential;
  return {
    scopes: [...caller.scopes],
    allowedNetworks: [...allowedNetworks],
    expiresAt: kind === "access_token" ? null : (expiresAt ?? null),
  };
}

/** The limits of a new token. Missing ones are inherited. */
export function limitsOfNewToken(
  context: CommandContext,
  wanted: { scopes: string[]; networks: string[]; expiresInDays?: number | undefined },
  defaultDays: number,
): Limits {
  const own = ownLimits(context);
  const inDays = (days: number) => new Date(context.now.getTime() + days * day);
  const limits = {
    scopes: wanted.scopes,
    allowedNetworks: wanted.networks.length === 0 ? own.allowedNetworks : wanted.networks,
    expiresAt:
      wanted.expiresInDays === undefined
        ? earlier(inDays(defaultDays), own.expiresAt)
        : inDays(wanted.expiresInDays),
  };
  requireWithin(own, limits);
  return limits;
}

/** Rotating a token that can do more than the caller's own would bypass these limits. */
export function requireOwnLimits(context: CommandContext, credential: Limits): void {
  requireWithin(ownLimits(context), credential);
}

function requireWithin(own: Limits, wanted: Limits): void {
  // guard: own-scopes-only
  const missing = missingScopes(wanted.scopes, own.scopes);
  if (missing.length > 0) {
    throw new ProblemError("not_permitted", `Your own credential lacks ${missing.join(", ")}.`, {
      hint: `It has ${own.scopes.join(", ")}.`,
    });
  }
  if (!isWithinNetworks(own.allowedNetworks, wanted.allowedNetworks)) {
    throw new ProblemError("not_permitted", "Your own token cannot be used from all of these networks.", {
      hint: `It is limited to ${own.allowedNetworks.join(", ")}.`,
    });
  }
  if (own.expiresAt !== null && (wanted.expiresAt === null || wanted.expiresAt > own.expiresAt)) {
    throw new ProblemError("not_permitted", "Your own token expires earlier than that.", {
      hint: `It expires at ${own.expiresAt.toISOString()}.`,
    });
  }
}

/** No networks means everywhere. */
function isWithinNetworks(own: readonly string[], wanted: readonly string[]): boolean {
  if (own.length === 0) return true;
  return wanted.length > 0 && wanted.every((inner) => own.some((outer) => contains(outer, inner)));
}

/** Only within one family: an IPv6 prefix is longer than an IPv4 one, even if their addresses map to each other. */
function contains(outer: string, inner: string): boolean {
  const [outerAddress, outerBits, outerFamily] = parseNetwork(outer);
  const [innerAddress, innerBits, innerFamily] = parseNetwork(inner);
  if (outerFamily !== innerFamily || innerBits < outerBits) return false;
  const list = new BlockList();
  list.addSubnet(outerAddress, outerBits, outerFamily);
  return list.check(innerAddress, innerFamily);
}

function parseNetwork(network: string): [address: string, bits: number, family: "ipv4" | "ipv6"] {
  const [address = "", bits] = network.split("/");
  const family = isIPv6(address) ? "ipv6" : "ipv4";
  return [address, bits === undefined ? (family === "ipv6" ? 128 : 32) : Number(bits), family];
}

export function earlier(date: Date, limit: Date | null): Date {
  return limit !== null && limit < date ? limit : date;
}
