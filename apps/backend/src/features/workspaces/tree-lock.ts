import { sql } from "kysely";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { PerTransaction } from "../../platform/commands/per-transaction.ts";

/**
 * `grow` is for callers who add or change single nodes: any number at once. `reshape` is for callers who move or delete
 * what others may be growing, or change which access list a subtree follows: one at a time in a workspace. Without it,
 * a file put into a folder while the folder is being restricted would keep following the old list, and two moves could
 * form a cycle.
 */
export type TreeLock = "grow" | "reshape";

const held = new PerTransaction<TreeLock>();

/**
 * Held until the transaction ends. Read the place of a folder and its access list after taking it; if this waited, which
 * it returns, also what was read before.
 */
export async function lockTree(
  { transaction, isPart, progress }: Pick<CommandContext, "transaction" | "isPart" | "progress">,
  workspaceId: string,
  wanted: TreeLock,
): Promise<boolean> {
  // Of two batches that grow at the same time and then reshape, each would wait for the other.
  const lock = isPart ? "reshape" : wanted;
  const { db, tenantId } = transaction;
  const locks = held.of(transaction);
  const has = locks.get(workspaceId);
  if (has === "reshape" || has === lock) return false;
  const key = sql`hashtextextended(${tenantId} || ${workspaceId}, 0)`;
  const mode = sql.raw(lock === "grow" ? "_shared" : "");
  const { rows } = await sql<{ isFree: boolean }>`
    select pg_try_advisory_xact_lock${mode}(${key}) as "isFree"`.execute(db);
  const waits = rows[0]?.isFree !== true;
  if (waits) {
    progress({ label: "Waiting for another change in this workspace", done: 0 });
    await sql`select pg_advisory_xact_lock${mode}(${key})`.execute(db);
  }
  locks.set(workspaceId, lock);
  return waits;
}
