import type { TenantTransaction } from "@svc/database/database";
import { together } from "@svc/database/statement-name";
import { sql } from "kysely";

/** PostgreSQL's code for a cancelled statement, by its time limit or by somebody. */
const cancelled = "57014";

/** With `force_generic_plan` nothing is planned for its values: for statements that take longer to plan than to run. */
type Plans = "auto" | "force_generic_plan";

interface Settings {
  timeout: string;
  jit: string;
  plans: string;
}

/**
 * Undefined if one of its statements took longer. The transaction continues either way, with the settings it had
 * before. Compiling statements (JIT) takes longer than running them.
 */
export async function withinTime<T>(
  transaction: TenantTransaction,
  millis: number,
  work: () => Promise<T>,
  { plans = "auto" }: { plans?: Plans } = {},
): Promise<T | undefined> {
  const before = await begin(transaction, { timeout: String(millis), jit: "off", plans });
  let result: T;
  try {
    result = await work();
  } catch (error) {
    await sql`${together} rollback to savepoint searching; release savepoint searching`.execute(
      transaction.db,
    );
    if ((error as { code?: unknown }).code === cancelled) return undefined;
    throw error;
  }
  await sql`${together} release savepoint searching; select ${change(before)}`.execute(transaction.db);
  return result;
}

async function begin({ db }: TenantTransaction, settings: Settings): Promise<Settings> {
  const { rows } = await sql<Settings>`
    ${together} savepoint searching;
    with before as materialized (
      select current_setting('statement_timeout') as timeout, current_setting('jit') as jit,
        current_setting('plan_cache_mode') as plans)
    select before.*, ${change(settings)} from before`.execute(db);
  const [before] = rows;
  if (!before) throw new Error("PostgreSQL did not tell its settings");
  return before;
}

function change({ timeout, jit, plans }: Settings) {
  return sql`set_config('statement_timeout', ${sql.lit(timeout)}, true), set_config('jit', ${sql.lit(jit)}, true),
    set_config('plan_cache_mode', ${sql.lit(plans)}, true)`;
}
