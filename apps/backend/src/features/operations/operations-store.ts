import type { TenantTransaction } from "@svc/database/database";
import type { Change } from "@svc/protocol/exchange";
import { sql } from "kysely";

export interface Operation {
  id: string;
  actorId: string;
  actorName: string | null;
  command: string;
  undoPayload: unknown;
  changes: Change[];
  createdAt: Date;
  /** The same in seconds since 1970: exact to the microsecond. */
  at: string;
  changeId: string | null;
  undoneAt: Date | null;
  /** Progress of its background work; all null if there is none. */
  progressState: "waiting" | "running" | "done" | "failed" | null;
  done: number | null;
  total: number | null;
  unit: string | null;
  note: string | null;
}

function operationsOf({ db, tenantId }: TenantTransaction) {
  return db
    .selectFrom("app.operation as operation")
    .leftJoin("app.principal as principal", (join) =>
      join
        .onRef("principal.tenant_id", "=", "operation.tenant_id")
        .onRef("principal.id", "=", "operation.actor_id"),
    )
    .leftJoin("app.operation_progress as progress", (join) =>
      join
        .onRef("progress.tenant_id", "=", "operation.tenant_id")
        .onRef("progress.operation_id", "=", "operation.id"),
    )
    .select([
      "operation.id",
      "operation.actor_id as actorId",
      "principal.name as actorName",
      "operation.command",
      "operation.undo_payload as undoPayload",
      "operation.changes",
      "operation.created_at as createdAt",
      sql<string>`extract(epoch from operation.created_at)::text`.as("at"),
      "operation.change_id as changeId",
      "operation.undone_at as undoneAt",
      "progress.state as progressState",
      "progress.done",
      "progress.total",
      "progress.unit",
      "progress.note",
    ])
    .where("operation.tenant_id", "=", tenantId);
}

export async function listOperations(
  transaction: TenantTransaction,
  { actor, before, limit }: { actor?: string | undefined; before?: string | undefined; limit: number },
): Promise<Operation[]> {
  const rows = await operationsOf(transaction)
    .$if(actor !== undefined, (query) => query.where("operation.actor_id", "=", actor ?? ""))
    .$if(before !== undefined, (query) => query.where("operation.id", "<", before ?? ""))
    .orderBy("operation.id", "desc")
    .limit(limit)
    .execute();
  return rows as unknown as Operation[];
}

export async function findOperation(
  transaction: TenantTransaction,
  id: string,
  lock: "lock" | "look",
): Promise<Operation | undefined> {
  const row = await operationsOf(transaction)
    .where("operation.id", "=", id)
    .$if(lock === "lock", (query) => query.forUpdate("operation"))
    .executeTakeFirst();
  return row as unknown as Operation | undefined;
}

export async function markUndone(
  { db, tenantId, actorId }: TenantTransaction,
  id: string,
  at: Date,
): Promise<void> {
  await db
    .updateTable("app.operation")
    .set({ undone_at: at, undone_by: actorId })
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .execute();
}
