import type { TenantTransaction } from "@svc/database/database";
import { together } from "@svc/database/statement-name";
import { sql } from "kysely";

/** PostgreSQL's code for a statement that was cancelled, by its time limit or by somebody. */
const cancelled = "57014";

/** Nothing is planned for its values with `force_generic_plan`: for what takes longer to plan than to run. */
type Plans = "auto" | "force_generic_plan";

/**
 * Undefined where a statement of it took longer; the transaction goes on either way. Compiling statements (JIT) takes
 * longer than running them.
 */
export async function withinTime<T>(
  { db }: TenantTransaction,
  millis: number,
  work: () => Promise<T>,
  { plans = "auto" }: { plans?: Plans } = {},
): Promise<T | undefined> {
  await sql`
    ${together} savepoint searching;
    set local statement_timeout = ${sql.lit(millis)};
    set local jit = off;
    set local plan_cache_mode = ${sql.raw(plans)}`.execute(db);
  try {
    return await work();
  } catch (error) {
    await sql`rollback to savepoint searching`.execute(db);
    if ((error as { code?: unknown }).code === cancelled) return undefined;
    throw error;
  }
}
