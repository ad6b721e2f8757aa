import type { JWTPayload } from "jose";
import { isScope } from "../process/scope.ts";

/**
 * What an access token may be used for (RFC 9068, 2.2.3). Scopes of others, such as `openid`, do not count. A login that
 * asked for none of ours gets the default.
 */
export function tokenScopes({ scope }: JWTPayload, byDefault: readonly string[]): readonly string[] {
  const ours = typeof scope === "string" ? scope.split(" ").filter(isScope) : [];
  return ours.length === 0 ? byDefault : ours;
}
