import { ShareRefused } from "@svc/fair-shares/share-refused";

/**
 * Marks what fails here as an error of the database, so that nobody takes the ECONNREFUSED of another server for its
 * outage. Marked, not wrapped: callers read the SQLSTATE.
 */
export async function fromDatabase<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw markAsDatabases(error);
  }
}

export function markAsDatabases<T>(error: T): T {
  if (error instanceof Error) Object.assign(error, { dependency: "database" });
  return error;
}

/**
 * - conflict: somebody else wrote the same thing in between; stores check before they write
 * - timeout: a statement, transaction or pause took too long
 * - locked: a lock was held for too long
 * - busy: the caller's share of this process's connections is in use
 * - full: the server has no connection, disk space or memory left
 * - read-only: the server is a standby
 * - refused: the server does not accept our role or its password
 * - unmigrated: database, schema or table are missing
 * - unreachable: no server, or none that answers
 */
export type DatabaseFailure =
  | "conflict"
  | "timeout"
  | "locked"
  | "busy"
  | "full"
  | "read-only"
  | "refused"
  | "unmigrated"
  | "unreachable";

const sqlStates: readonly [RegExp, DatabaseFailure][] = [
  [/^23505$/, "conflict"],
  [/^(57014|25P0[34])$/, "timeout"],
  [/^55P03$/, "locked"],
  [/^53...$/, "full"],
  [/^25006$/, "read-only"],
  [/^28...$/, "refused"],
  [/^(3D000|3F000|42P01)$/, "unmigrated"],
  // Connection errors, shutting down, starting up, dropped.
  [/^(08...|57P0[1-5])$/, "unreachable"],
  [/^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|E(HOST|NET)UNREACH|ENOTFOUND|EAI_AGAIN)$/, "unreachable"],
];

/** The driver has no code for these. A connection whose answer never comes is as good as none. */
const withoutCode =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client (was closed|has encountered a connection error) and is not queryable)/;

/** What an error of the database means to a caller, or undefined if it came from elsewhere or is our mistake. */
export function databaseFailure(error: unknown): DatabaseFailure | undefined {
  if (!isMarked(error)) return undefined;
  if (error instanceof ShareRefused) return "busy";
  const { code = "", message } = error;
  // A standby refuses `begin read write` before it can refuse a write.
  if (code === "0A000" && /during recovery/.test(message)) return "read-only";
  const known = sqlStates.find(([pattern]) => pattern.test(code))?.[1];
  return known ?? (withoutCode.test(message) ? "unreachable" : undefined);
}

function isMarked(error: unknown): error is Error & { code?: string } {
  return error instanceof Error && (error as { dependency?: unknown }).dependency === "database";
}
