import type { JWTPayload } from "jose";

export const everyScope = "*";

/** What commands ask for: `files:read`. A scope of this form counts as ours even if no command has it any more. */
export function isScope(text: string): boolean {
  return text === everyScope || /^[a-z]+(?:-[a-z]+)*:(?:read|write)$/.test(text);
}

/**
 * What an access token may be used for (RFC 9068, 2.2.3). Scopes of others, such as `openid`, do not count. A login that
 * asked for none of ours gets the default.
 */
export function tokenScopes({ scope }: JWTPayload, byDefault: readonly string[]): readonly string[] {
  const ours = typeof scope === "string" ? scope.split(" ").filter(isScope) : [];
  return ours.length === 0 ? byDefault : ours;
}
