import type { TenantTransaction } from "@svc/database/database";
import type { Change } from "@svc/protocol/exchange";
import { encodeId } from "@svc/protocol/typed-id";
import { sql } from "kysely";
import { shortestEnd } from "./operation-end.ts";

/** How far the work of a background operation has come. */
export interface Progress {
  state: "waiting" | "running" | "done" | "failed";
  done: number;
  total: number;
  note: string | null;
}

interface NewOperation {
  command: string;
  changes: readonly Change[];
  undoPayload?: unknown;
  madeWith?: string;
}

/** An operation that can be undone, by its id or by the end of it. */
export async function recordOperation(
  transaction: TenantTransaction,
  operation: Required<NewOperation>,
): Promise<{ id: string; end: string }> {
  const { id, alike } = await insertOperation(transaction, operation);
  const typed = encodeId("operation", id);
  return {
    id: typed,
    end: shortestEnd(
      typed,
      alike.map((other) => encodeId("operation", other)),
    ),
  };
}

/** An operation that cannot be undone and continues in the background; `operations show` reports its progress. */
export async function beginBackgroundOperation(
  transaction: TenantTransaction,
  { command, changes, total, unit }: { command: string; changes: Change[]; total: number; unit: string },
): Promise<string> {
  const { id } = await insertOperation(transaction, { command, changes });
  await transaction.db
    .insertInto("app.operation_progress")
    .values({ tenant_id: transaction.tenantId, operation_id: id, total, unit })
    .execute();
  return id;
}

/** `alike`: the actor's earlier operations whose ids end the same. In one statement, so that no write waits longer. */
async function insertOperation(
  { db, tenantId, actorId }: TenantTransaction,
  { command, changes, undoPayload, madeWith }: NewOperation,
): Promise<{ id: string; alike: string[] }> {
  const { rows } = await sql<{ id: string; alike: string[] }>`
    with made as (select uuidv7() as id)
    insert into app.operation as recorded
      (tenant_id, id, end_of_id, actor_id, made_with, command, undo_payload, changes)
    select ${tenantId}, made.id, right(made.id::text, 5), ${actorId}, ${madeWith ?? null}, ${command},
      ${undoPayload === undefined ? null : JSON.stringify(undoPayload)}::jsonb, ${JSON.stringify(changes)}::jsonb
    from made
    returning id, array(
      select other.id from app.operation as other
      where other.tenant_id = recorded.tenant_id and other.actor_id = recorded.actor_id
        and other.end_of_id = recorded.end_of_id) as alike`.execute(db);
  const [row] = rows;
  if (!row) throw new Error("an insert returns its row");
  return row;
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
