import { setTimeout as sleep } from "node:timers/promises";
import { beginMove, beginReturn, divideShelf, endMove, moveSome } from "@svc/search/index/move-shelf";
import { nobody } from "../../../platform/identity/nobody.ts";
import type { JobContext } from "../../../platform/jobs/define-job.ts";

/** A writer of one of these waits for the batch, and then retries. */
const usualBatch = 200;
const pauseMillis = 50;

type Parts = Pick<JobContext, "database" | "signal">;

/** What should happen to the shelves of a tenant: see `app.shelf_changes_due`. */
export interface ShelfChange {
  tenantId: string;
  change: "move" | "return" | "divide";
}

export async function changeShelf(parts: Parts, { tenantId, change }: ShelfChange): Promise<string> {
  const scope = { tenantId, actorId: nobody };
  if (change === "divide") {
    await parts.database.withTenant(scope, "write", divideShelf);
    return "divided";
  }
  if (change === "return") await parts.database.withTenant(scope, "write", beginReturn);
  return promote(parts, tenantId);
}

/**
 * Moves a tenant's documents to a dedicated shelf, or to where they are already moving, while everybody keeps working. A
 * kill leaves the tenant on two shelves, where it is searched and written as before; the next run continues.
 */
export async function promote(
  { database, signal }: Parts,
  tenantId: string,
  batch = usualBatch,
): Promise<"moved" | "no shelf" | "stopped"> {
  const scope = { tenantId, actorId: nobody };
  const shelf = await database.withTenant(scope, "write", beginMove);
  if (shelf === null) return "no shelf";
  while (!signal?.aborted) {
    const started = performance.now();
    const moved = await database.withTenant(scope, "write", (transaction) => moveSome(transaction, batch));
    if (moved < batch && (await database.withTenant(scope, "write", endMove))) return "moved";
    const took = performance.now() - started;
    await sleep(Math.max(pauseMillis, took), undefined, signal ? { signal } : {}).catch(() => {});
  }
  return "stopped";
}
