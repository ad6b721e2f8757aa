import type { TenantTransaction } from "@svc/database/database";
import type { Change } from "@svc/protocol/exchange";
import { sql } from "kysely";

export const undoPath = "operations undo";

export interface Operation {
  id: string;
  actorId: string;
  actorName: string | null;
  command: string;
  undoPayload: unknown;
  /** The first ones: a folder that was put has one for each file. */
  firstChanges: Pick<Change, "action" | "type" | "name">[];
  changeCount: number;
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

/** Of an actor, or only what they did with one credential; everybody's without an actor. */
export interface Whose {
  actor?: string | undefined;
  madeWith?: string | undefined;
}

const told = 3;

function operationsOf({ db, tenantId }: TenantTransaction, { actor, madeWith }: Whose = {}) {
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
      sql<Change[]>`jsonb_path_query_array(operation.changes, ${`$[0 to ${told - 1}]`}::jsonpath)`.as(
        "firstChanges",
      ),
      sql<number>`jsonb_array_length(operation.changes)`.as("changeCount"),
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
    .where("operation.tenant_id", "=", tenantId)
    .$if(actor !== undefined, (query) => query.where("operation.actor_id", "=", actor ?? ""))
    .$if(madeWith !== undefined, (query) => query.where("operation.made_with", "=", madeWith ?? ""));
}

export async function listOperations(
  transaction: TenantTransaction,
  { before, limit, ...whose }: Whose & { before?: string | undefined; limit: number },
): Promise<Operation[]> {
  const rows = await operationsOf(transaction, whose)
    .$if(before !== undefined, (query) => query.where("operation.id", "<", before ?? ""))
    .orderBy("operation.id", "desc")
    .limit(limit)
    .execute();
  return rows as unknown as Operation[];
}

/** The newest that can be undone and has not been; a redo counts as doing it again, an undo does not count. */
export async function latestToUndo(
  transaction: TenantTransaction,
  whose: Required<Whose>,
  since: Date,
): Promise<string | undefined> {
  const row = await operationsOf(transaction, whose)
    .where("operation.undone_at", "is", null)
    .where("operation.undo_payload", "is not", null)
    .where("operation.id", ">=", firstIdSince(since))
    .where(
      sql<boolean>`(operation.command <> ${undoPath} or (operation.undo_payload ->> 'redoes')::boolean is true)`,
    )
    .orderBy("operation.id", "desc")
    .limit(1)
    .clearSelect()
    .select("operation.id")
    .executeTakeFirst();
  return row?.id;
}

/** Ids begin with their time, so the index ends the search there. */
function firstIdSince(time: Date): string {
  const hex = time.getTime().toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** Newest first. */
export async function operationsByEnd(
  transaction: TenantTransaction,
  whose: Whose,
  endOfId: string,
): Promise<Operation[]> {
  const rows = await operationsOf(transaction, whose)
    .where("operation.end_of_id", "=", endOfId)
    .orderBy("operation.id", "desc")
    .execute();
  return rows as unknown as Operation[];
}

/** Ids that end like one of these, themselves included. */
export async function idsByEnds(
  transaction: TenantTransaction,
  whose: Whose,
  ids: readonly string[],
): Promise<string[]> {
  const ends = ids.map((id) => id.slice(-5));
  const rows = await operationsOf(transaction, whose)
    .where("operation.end_of_id", "=", sql<string>`any(${ends}::text[])`)
    .clearSelect()
    .select("operation.id")
    .execute();
  return rows.map(({ id }) => id);
}

export async function findOperation(
  transaction: TenantTransaction,
  whose: Whose,
  id: string,
  lock: "lock" | "look",
): Promise<Operation | undefined> {
  const row = await operationsOf(transaction, whose)
    .where("operation.id", "=", id)
    .$if(lock === "lock", (query) => query.forUpdate("operation"))
    .executeTakeFirst();
  return row as unknown as Operation | undefined;
}

export async function changesOf({ db, tenantId }: TenantTransaction, id: string): Promise<Change[]> {
  const { changes } = await db
    .selectFrom("app.operation")
    .select("changes")
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return changes as unknown as Change[];
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
