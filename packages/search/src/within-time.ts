import type { TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";

/** PostgreSQL's code for a statement that was cancelled, by its time limit or by somebody. */
const cancelled = "57014";

/** Undefined where a statement of it took longer; the transaction goes on either way. Compiling them takes longer than running them. */
export async function withinTime<T>(
  { db }: TenantTransaction,
  millis: number,
  work: () => Promise<T>,
): Promise<T | undefined> {
  await sql`savepoint searching`.execute(db);
  try {
    await sql`
      select set_config('statement_timeout', ${String(millis)}, true), set_config('jit', 'off', true)`.execute(
      db,
    );
    return await work();
  } catch (error) {
    await sql`rollback to savepoint searching`.execute(db);
    if ((error as { code?: unknown }).code === cancelled) return undefined;
    throw error;
  }
}
