import type { TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";
import { findShelves, sharedShelf } from "./shelf.ts";

/**
 * A tenant moves like this, to a dedicated shelf or back. `beginMove` or `beginReturn` sets the target and waits for everybody who
 * still writes to the old shelf; from then on writers take documents off the old shelf and put them on the new one, and
 * searches look at both. Each document is always on one of them: a batch is an update, which a waiting writer notices
 * (40001, and repeats its work), while a delete and an insert would let it miss the document. `endMove` follows when
 * the old shelf is empty.
 */
export async function beginMove({ db, tenantId }: TenantTransaction): Promise<number | null> {
  const { rows } = await sql<{ shelf: number | null }>`
    select app.begin_shelf_move(${tenantId}, ${sharedShelf(tenantId)}::smallint) as shelf`.execute(db);
  return rows[0]?.shelf ?? null;
}

export async function beginReturn({ db, tenantId }: TenantTransaction): Promise<void> {
  await sql`select app.begin_shelf_return(${tenantId}, ${sharedShelf(tenantId)}::smallint)`.execute(db);
}

/** One more shelf for a tenant whose newest is full. Nothing moves: what is written from now on goes there. */
export async function divideShelf({ db, tenantId }: TenantTransaction): Promise<void> {
  await sql`select app.divide_search_shelf(${tenantId})`.execute(db);
}

/** Moves some documents, each with its vectors; those being written are left for later. Returns how many it moved. */
export async function moveSome(transaction: TenantTransaction, limit: number): Promise<number> {
  const { all, forNew, isMoving } = await findShelves(transaction, { hold: true });
  if (!isMoving) return 0;
  let moved = 0;
  for (const old of all) {
    if (old !== forNew && moved < limit) moved += await moveFrom(transaction, old, forNew, limit - moved);
  }
  return moved;
}

async function moveFrom(
  transaction: TenantTransaction,
  old: number,
  forNew: number,
  limit: number,
): Promise<number> {
  const { db, tenantId } = transaction;
  const { rows } = await sql<{ id: string }>`
    with next as materialized (
      select id from app.searchable where tenant_id = ${tenantId} and shelf_id = ${old}
      order by id limit ${limit} for update skip locked)
    update app.searchable as document set shelf_id = ${forNew} from next
    where document.tenant_id = ${tenantId} and document.shelf_id = ${old} and document.id = next.id
    returning new.id`.execute(db);
  const ids = rows.map(({ id }) => id);
  await sql`
    update app.file_embedding set shelf_id = ${forNew}
    where tenant_id = ${tenantId} and shelf_id = ${old} and node_id = any(${ids}::uuid[])`.execute(db);
  return ids.length || (await moveVectors(transaction, old, forNew, limit));
}

/** Vectors without a document: those of files in the trash. */
async function moveVectors(
  { db, tenantId }: TenantTransaction,
  old: number,
  forNew: number,
  limit: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    with next as materialized (
      select node_id, model, chunk from app.file_embedding as embedding
      where tenant_id = ${tenantId} and shelf_id = ${old} and not exists (
        select from app.searchable as document
        where document.tenant_id = ${tenantId} and document.shelf_id = ${old} and document.id = embedding.node_id)
      limit ${limit} for update skip locked)
    update app.file_embedding as embedding set shelf_id = ${forNew} from next
    where embedding.tenant_id = ${tenantId} and embedding.shelf_id = ${old} and embedding.node_id = next.node_id
      and embedding.model = next.model and embedding.chunk = next.chunk`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** Returns whether nothing was left, so that the move is complete. */
export async function endMove({ db, tenantId }: TenantTransaction): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update app.search_shelf as shelf set shelf_id = moving_to, moving_to = null, full_shelves = '{}'
    where tenant_id = ${tenantId} and moving_to is not null and not is_divided and not exists (
      select from app.searchable as document
      where document.tenant_id = ${tenantId} and document.shelf_id = any (full_shelves || shelf.shelf_id))
    and not exists (
      select from app.file_embedding as embedding
      where embedding.tenant_id = ${tenantId} and embedding.shelf_id = any (full_shelves || shelf.shelf_id))`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0) > 0;
}
