import pg from "pg";

export type DatabaseFailure = "timeout" | "unavailable" | "conflict";

const timeouts = new Set(["57014", "55P03", "25P03", "25P04"]);
/** Connection class 08, too many connections, shutting down, starting up; and the socket's own errors. */
const outages = /^(08...|53300|57P0[123]|ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|ETIMEDOUT|EAI_AGAIN)$/;

/** What an error of the database means to a caller, or undefined if it is a bug of ours. */
export function databaseFailure(error: unknown): DatabaseFailure | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = (error as { code?: string }).code ?? "";
  if (error instanceof pg.DatabaseError && timeouts.has(code)) return "timeout";
  // Stores check before they write; a remaining collision was written by somebody else in between.
  if (error instanceof pg.DatabaseError && code === "23505") return "conflict";
  if (outages.test(code)) return "unavailable";
  // The driver has no code for these.
  if (/^(Connection terminated|timeout exceeded when trying to connect)/.test(error.message))
    return "unavailable";
  return undefined;
}
