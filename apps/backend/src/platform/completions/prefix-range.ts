import { type RawBuilder, sql } from "kysely";

/**
 * Whether a column begins with a text, as a range that an index answers. `like` is not leakproof, so under row security
 * PostgreSQL reads everything before it. `starts_with` is, but becomes a range only if its text is known when the
 * statement is planned, and ours are prepared. Cells sort by code point (C.UTF-8).
 */
export function beginsWith(column: RawBuilder<unknown>, text: string): RawBuilder<boolean> {
  const end = endOfRange(text);
  if (text === "") return sql<boolean>`true`;
  return end === undefined
    ? sql<boolean>`${column} >= ${text}`
    : sql<boolean>`(${column} >= ${text} and ${column} < ${end})`;
}

/** The first text behind all that begin with this one; undefined if there is none. */
export function endOfRange(text: string): string | undefined {
  const points = [...text].map((character) => character.codePointAt(0) ?? 0);
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    if (last === 0x10_ff_ff) continue;
    // Surrogates are no characters.
    const next = last === 0xd7_ff ? 0xe0_00 : last + 1;
    return String.fromCodePoint(...points, next);
  }
  return undefined;
}
