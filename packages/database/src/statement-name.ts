import { sql } from "kysely";

const maxStatements = 500;

/**
 * Stands in a statement whose best plan depends on its values. From the sixth time on a connection PostgreSQL would take
 * one that fits any values: of a search, one that reads all documents, the best for a common word and a thousand times too
 * much for a rare one.
 */
export const plannedAnew = sql.raw("/* planned anew */");

/** Stands before several statements that travel together. They have no parameters, and no plan that could be kept. */
export const together = sql.raw("/* together */");

const nameless = /\/\* (planned anew|together) \*\//;
const names = new Map<string, string>();

/**
 * A name for a statement, so that each connection parses and plans it once. Statements are few, because values travel
 * as parameters and lists as arrays; should one be built from its values after all, it stays nameless beyond the bound
 * instead of filling the memory of every connection.
 */
export function statementName(text: string): string | undefined {
  const given = names.get(text);
  if (given !== undefined || names.size >= maxStatements || nameless.test(text)) return given;
  const name = `svc_${names.size}`;
  names.set(text, name);
  return name;
}
