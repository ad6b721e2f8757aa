import { sql } from "kysely";

export const maxStatements = 500;

/**
 * Marks a statement whose best plan depends on its values. From its sixth run on a connection PostgreSQL would use a
 * generic plan: for a search, one that reads all documents, which is best for a common word and a thousand times too
 * much for a rare one.
 */
export const plannedAnew = sql.raw("/* planned anew */");

/** Marks several statements that travel together. They have no parameters, and no plan to keep. */
export const together = sql.raw("/* together */");

const nameless = /\/\* (planned anew|together) \*\//;
const names = new Map<string, string>();

/**
 * A statement as it is sent. After a migration made its plan stale it gets a mark, and with it another name and
 * another text: a pooler such as PgBouncer knows a prepared statement by its text, whichever client sends it, and
 * would run the same stale plan for every new connection of ours. A mark is random, because a mark of another process
 * may itself have been planned before the newest migration.
 */
export function nameStatement(text: string, mark: string | undefined): { text: string; name?: string } {
  const name = statementName(text);
  if (name === undefined) return { text };
  if (mark === undefined) return { text, name };
  return { text: `${text} /* replanned ${mark} */`, name: `${name}_${mark}` };
}

/**
 * A name for a statement, so that each connection parses and plans it once. Statements are few, because values travel
 * as parameters and lists as arrays; if one is built from its values after all, it stays unnamed beyond the bound
 * instead of filling the memory of every connection.
 */
export function statementName(text: string): string | undefined {
  const given = names.get(text);
  if (given !== undefined || names.size >= maxStatements || nameless.test(text)) return given;
  const name = `svc_${names.size}`;
  names.set(text, name);
  return name;
}
