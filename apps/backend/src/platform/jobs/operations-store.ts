import type { TenantTransaction } from "@svc/database/database";
import type { Change } from "@svc/protocol/exchange";
import { encodeId } from "@svc/protocol/typed-id";

/** How far the work of a background operation has come. */
export interface Progress {
  state: "waiting" | "running" | "done" | "failed";
  done: number;
  total: number;
  note: string | null;
}

/** An operation that can be undone. Returns its typed id. */
export async function recordOperation(
  { db, tenantId, actorId }: TenantTransaction,
  command: string,
  undoPayload: unknown,
  changes: readonly Change[],
): Promise<string> {
  const { id } = await db
    .insertInto("app.operation")
    .values({
      tenant_id: tenantId,
      actor_id: actorId,
      command,
      undo_payload: JSON.stringify(undoPayload),
      changes: JSON.stringify(changes),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return encodeId("operation", id);
}

/** An operation that cannot be undone and continues in the background; `operations show` reports its progress. */
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
