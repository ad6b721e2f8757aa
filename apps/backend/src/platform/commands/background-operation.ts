import type { TenantTransaction } from "@svc/database/database";
import type { Change } from "@svc/protocol/exchange";

/** How far work is that goes on after its command was answered. */
export interface Progress {
  state: "waiting" | "running" | "done" | "failed";
  done: number;
  total: number;
  note: string | null;
}

/** An operation that cannot be undone, and whose work somebody does later; `operations show` tells how far it is. */
export async function beginBackgroundOperation(
  { db, tenantId, actorId }: TenantTransaction,
  { command, changes, total, unit }: { command: string; changes: Change[]; total: number; unit: string },
): Promise<string> {
  const { id } = await db
    .insertInto("app.operation")
    .values({ tenant_id: tenantId, actor_id: actorId, command, changes: JSON.stringify(changes) })
    .returning("id")
    .executeTakeFirstOrThrow();
  await db
    .insertInto("app.operation_progress")
    .values({ tenant_id: tenantId, operation_id: id, total, unit })
    .execute();
  return id;
}

export async function tellProgress(
  { db, tenantId }: TenantTransaction,
  operationId: string,
  { state, done, total, note }: Progress,
): Promise<void> {
  await db
    .updateTable("app.operation_progress")
    .set({ state, done, total, note, updated_at: new Date() })
    .where("tenant_id", "=", tenantId)
    .where("operation_id", "=", operationId)
    .execute();
}
