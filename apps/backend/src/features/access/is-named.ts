import { type RawBuilder, sql } from "kysely";

/**
 * Whether the text names this row of `app.principal`. A name never counts as an address, because people choose their
 * own names at an identity provider.
 */
export function isNamed(match: { id: string } | { text: string }): RawBuilder<boolean> {
  if ("id" in match) return sql<boolean>`id = ${match.id}`;
  const { text } = match;
  return text.includes("@")
    ? sql<boolean>`lower(email) = ${text.toLowerCase()}`
    : sql<boolean>`name = ${text}`;
}
