import type { TenantTransaction } from "@svc/database/database";
import { type RawBuilder, sql } from "kysely";

/** The number of shared shelves; each of the others is for one tenant that has outgrown them. */
export const sharedShelves = 32;

/**
 * The shelves of a tenant's documents. A large tenant has several, and during a move there is one more: each document is
 * on one of them, and what is written goes to the last.
 */
export interface Shelves {
  /** The oldest first. */
  all: readonly number[];
  forNew: number;
  /** Documents are on their way to the last one. */
  isMoving: boolean;
}

const held = new WeakMap<TenantTransaction, Promise<Shelves>>();

/** A writer holds the row until its transaction ends: nobody begins or ends a move meanwhile. */
export function findShelves(transaction: TenantTransaction, { hold }: { hold: boolean }): Promise<Shelves> {
  if (!hold) return lookUp(transaction);
  const shelves = held.get(transaction) ?? holdShelves(transaction);
  held.set(transaction, shelves);
  return shelves;
}

async function lookUp(transaction: TenantTransaction): Promise<Shelves> {
  const shelf = sharedShelf(transaction.tenantId);
  return (await readShelves(transaction, sql``)) ?? { all: [shelf], forNew: shelf, isMoving: false };
}

/**
 * The first writer of a tenant creates the row: a missing row cannot be held, and a move would not wait for the writer.
 */
async function holdShelves(transaction: TenantTransaction): Promise<Shelves> {
  const { db, tenantId } = transaction;
  const known = await readShelves(transaction, sql`for share`);
  if (known) return known;
  await sql`
    insert into app.search_shelf (tenant_id, shelf_id) values (${tenantId}, ${sharedShelf(tenantId)})
    on conflict (tenant_id) do nothing`.execute(db);
  const made = await readShelves(transaction, sql`for share`);
  if (!made) throw new Error("the shelf of a tenant has disappeared");
  return made;
}

async function readShelves(
  { db, tenantId }: TenantTransaction,
  lock: RawBuilder<unknown>,
): Promise<Shelves | undefined> {
  const { rows } = await sql<{ shelf: number; full: number[]; newest: number | null; isDivided: boolean }>`
    select shelf_id as shelf, full_shelves as "full", moving_to as newest, is_divided as "isDivided"
    from app.search_shelf where tenant_id = ${tenantId} ${lock}`.execute(db);
  const [row] = rows;
  if (!row) return undefined;
  const { shelf, full, newest, isDivided } = row;
  return newest === null
    ? { all: [shelf], forNew: shelf, isMoving: false }
    : { all: [shelf, ...full, newest], forNew: newest, isMoving: !isDivided };
}

/** By its last digits, which are random. */
export function sharedShelf(tenantId: string): number {
  return Number.parseInt(tenantId.slice(-4), 16) % sharedShelves;
}

/**
 * An equality for a single shelf: only then do rows come in the order of their ids, and no other shelf is planned for.
 */
export function onShelves(column: string, shelves: readonly number[]): RawBuilder<boolean> {
  const [only, ...more] = shelves;
  return more.length === 0
    ? sql<boolean>`${sql.ref(column)} = ${only}::smallint`
    : sql<boolean>`${sql.ref(column)} = any(${[...shelves]}::smallint[])`;
}
