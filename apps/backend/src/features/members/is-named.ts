import { type RawBuilder, sql } from "kysely";

/**
 * Whether a row of `app.principal` is meant. A name never stands in for an address: an identity provider lets people choose
 * their names.
 */
export function isNamed(match: { id: string } | { text: string }): RawBuilder<boolean> {
  if ("id" in match) return sql<boolean>`id = ${match.id}`;
  const { text } = match;
  return text.includes("@")
    ? sql<boolean>`lower(email) = ${text.toLowerCase()}`
    : sql<boolean>`name = ${text}`;
}
