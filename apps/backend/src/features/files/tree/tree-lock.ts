import { sql } from "kysely";
import type { CommandContext } from "../../../platform/commands/command-context.ts";
import { PerTransaction } from "../../../platform/commands/per-transaction.ts";

/**
 * `grow` for who adds or changes single nodes: any number at once. `reshape` for who moves or deletes what others may be
 * growing, or changes which list a subtree follows: alone in its workspace. Without it a file that is put into a folder
 * while the folder is being restricted would go on following the old list, and two moves could make a circle.
 */
export type TreeLock = "grow" | "reshape";

const held = new PerTransaction<TreeLock>();

/** Held to the end of the transaction. Which folder is where, and which list it follows, is read after it. */
export async function lockTree(
  { transaction }: CommandContext,
  workspaceId: string,
  lock: TreeLock,
): Promise<void> {
  const { db, tenantId } = transaction;
  const locks = held.of(transaction);
  const has = locks.get(workspaceId);
  if (has === "reshape" || has === lock) return;
  const key = sql`hashtextextended(${tenantId} || ${workspaceId}, 0)`;
  await (lock === "grow"
    ? sql`select pg_advisory_xact_lock_shared(${key})`
    : sql`select pg_advisory_xact_lock(${key})`
  ).execute(db);
  locks.set(workspaceId, lock);
}
