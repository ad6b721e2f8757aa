import type { JWTPayload } from "jose";
import { isScope } from "../process/scope.ts";

/**
 * The scopes of an access token (RFC 9068, 2.2.3). Foreign scopes such as `openid` do not count. A login that asked for
 * none of ours gets the default.
 */
export function tokenScopes({ scope }: JWTPayload, byDefault: readonly string[]): readonly string[] {
  const ours = typeof scope === "string" ? scope.split(" ").filter(isScope) : [];
  return ours.length === 0 ? byDefault : ours;
}
