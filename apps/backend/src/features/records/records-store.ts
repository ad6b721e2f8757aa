import type { TenantTransaction } from "@svc/database/database";
import { type RawBuilder, sql } from "kysely";
import type { LeftBy } from "../../platform/undo/left-by.ts";
import type { Readable } from "../collections/collections.ts";
import type { Values } from "./record-value.ts";

export interface RecordRow {
  id: string;
  collectionId: string;
  title: string;
  fields: Values;
  createdAt: Date;
  updatedAt: Date;
  trashedAt: Date | null;
  version: number;
  /** See `leftBy`. */
  changeId: string | null;
}

export type WholeRecord = RecordRow & { body: string };

/** Records of live collections that the caller can read. Every query of records starts here. */
function recordsOf({ db, tenantId }: TenantTransaction, readable: Readable) {
  return db
    .selectFrom("app.record as record")
    .innerJoin("app.collection as collection", (join) =>
      join
        .onRef("collection.tenant_id", "=", "record.tenant_id")
        .onRef("collection.id", "=", "record.collection_id"),
    )
    .where("record.tenant_id", "=", tenantId)
    .where("collection.tenant_id", "=", tenantId)
    .where("collection.trashed_at", "is", null)
    .$if(readable !== "all", (query) =>
      query.where(sql<boolean>`collection.acl_scope_id = any(${[...readable]}::uuid[])`),
    );
}

const columns = [
  "record.id",
  "record.collection_id as collectionId",
  "record.title",
  sql<Values>`record.fields`.as("fields"),
  "record.created_at as createdAt",
  "record.updated_at as updatedAt",
  "record.trashed_at as trashedAt",
  "record.version",
  "record.change_id as changeId",
] as const;

interface Matching {
  readable: Readable;
  collectionId: string;
  trashed: boolean;
  conditions: readonly RawBuilder<boolean>[];
}

export interface Listing extends Matching {
  /** Sorts after all of these; the id breaks ties. */
  order: readonly RawBuilder<unknown>[];
  limit: number;
}

function matching(transaction: TenantTransaction, { readable, collectionId, trashed, conditions }: Matching) {
  let query = recordsOf(transaction, readable)
    .where("record.collection_id", "=", collectionId)
    .where("record.trashed_at", trashed ? "is not" : "is", null);
  for (const condition of conditions) query = query.where(condition);
  return query;
}

function listed(transaction: TenantTransaction, { order, limit, ...matched }: Listing) {
  let query = matching(transaction, matched).select(columns);
  for (const key of order) query = query.orderBy(key);
  return query.orderBy("record.id").limit(limit);
}

/** Without their bodies, which may be long. */
export function listRecords(transaction: TenantTransaction, listing: Listing): Promise<RecordRow[]> {
  return listed(transaction, listing).execute();
}

export function listWholeRecords(transaction: TenantTransaction, listing: Listing): Promise<WholeRecord[]> {
  return listed(transaction, listing).select("record.body").execute();
}

/** The number of records and the bytes of their values and bodies, before all of them are read at once. */
export function measureRecords(
  transaction: TenantTransaction,
  matched: Matching,
): Promise<{ count: number; bytes: number }> {
  return matching(transaction, matched)
    .select(({ fn }) => [
      fn.countAll<number>().as("count"),
      sql<number>`coalesce(sum(octet_length(record.body) + octet_length(record.fields::text)), 0)::bigint`.as(
        "bytes",
      ),
    ])
    .executeTakeFirstOrThrow();
}

/** Includes the trash. Access is checked on its collection. */
export function findRecord(transaction: TenantTransaction, id: string): Promise<WholeRecord | undefined> {
  return recordsOf(transaction, "all")
    .select(columns)
    .select("record.body")
    .where("record.id", "=", id)
    .executeTakeFirst();
}

/** Titles of those of these records that exist and that the caller can read. */
export async function readableTitles(
  transaction: TenantTransaction,
  readable: Readable,
  ids: readonly string[],
  collectionId?: string,
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await recordsOf(transaction, readable)
    .select(["record.id", "record.title"])
    .where(sql<boolean>`record.id = any(${[...ids]}::uuid[])`)
    .where("record.trashed_at", "is", null)
    .$if(collectionId !== undefined, (query) => query.where("record.collection_id", "=", collectionId ?? ""))
    .execute();
  return new Map(rows.map(({ id, title }) => [id, title]));
}

export type PersonKind = "user" | "service" | "ai" | "group";

/** Names of these people, including former members. */
export async function findPeople(
  { db, tenantId }: TenantTransaction,
  ids: readonly string[],
): Promise<Map<string, { kind: PersonKind; name: string }>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("app.principal")
    .select(["id", sql<PersonKind>`kind`.as("kind"), "name"])
    .where("tenant_id", "=", tenantId)
    .where(sql<boolean>`id = any(${[...ids]}::uuid[])`)
    .execute();
  return new Map(rows.map(({ id, kind, name }) => [id, { kind, name }]));
}

export interface NewRecord {
  title: string;
  fields: Values;
  body: string;
}

/** One statement for any number; the ids come in the order given. */
export async function insertRecords(
  { db, tenantId, actorId }: TenantTransaction,
  collectionId: string,
  records: readonly NewRecord[],
  importId?: string,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into app.record (tenant_id, collection_id, title, fields, body, import_id, created_by, updated_by)
    select ${tenantId}::uuid, ${collectionId}::uuid, new.title, new.fields::jsonb, new.body, ${importId ?? null}::uuid,
           ${actorId}::uuid, ${actorId}::uuid
    from unnest(
      ${records.map(({ title }) => title)}::text[],
      ${records.map(({ fields }) => JSON.stringify(fields))}::text[],
      ${records.map(({ body }) => body)}::text[]) with ordinality as new (title, fields, body, place)
    order by new.place
    returning id`.execute(db);
  return rows.map(({ id }) => id);
}

/** False if the row has another version by now. */
export async function updateRecord(
  { db, tenantId, actorId }: TenantTransaction,
  { id, version }: Pick<RecordRow, "id" | "version">,
  set: Partial<NewRecord> & { updatedAt?: Date; trashedAt?: Date | null; version?: number } & LeftBy,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("app.record")
    .set({
      title: set.title,
      fields: set.fields === undefined ? undefined : JSON.stringify(set.fields),
      body: set.body,
      updated_at: set.updatedAt,
      updated_by: set.updatedAt === undefined ? undefined : actorId,
      trashed_at: set.trashedAt,
      version: set.version ?? version + 1,
      change_id: set.changeId,
    })
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .where("version", "=", version)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function countChangedSinceImport(
  { db, tenantId }: TenantTransaction,
  importId: string,
): Promise<number> {
  const { count } = await db
    .selectFrom("app.record")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("tenant_id", "=", tenantId)
    .where("import_id", "=", importId)
    .where("trashed_at", "is", null)
    .where("version", "!=", 1)
    .executeTakeFirstOrThrow();
  return count;
}

/** The records that are still as the import left them. */
export async function trashImport(
  { db, tenantId }: TenantTransaction,
  importId: string,
  trashedAt: Date,
): Promise<string[]> {
  const rows = await db
    .updateTable("app.record")
    .set({ trashed_at: trashedAt, version: 2 })
    .where("tenant_id", "=", tenantId)
    .where("import_id", "=", importId)
    .where("trashed_at", "is", null)
    .where("version", "=", 1)
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
}

/** The records that an undo moved to the trash and nobody has touched since. */
export async function restoreImport(
  { db, tenantId }: TenantTransaction,
  { importId, trashedAt, changeId }: { importId: string; trashedAt: Date; changeId: string | null },
): Promise<string[]> {
  const rows = await db
    .updateTable("app.record")
    .set({ trashed_at: null, version: 1, change_id: changeId })
    .where("tenant_id", "=", tenantId)
    .where("import_id", "=", importId)
    .where("trashed_at", "=", trashedAt)
    .where("version", "=", 2)
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
}

/** The records that were not trashed separately. */
export async function recordIds(
  { db, tenantId }: TenantTransaction,
  collectionId: string,
): Promise<string[]> {
  const rows = await db
    .selectFrom("app.record")
    .select("id")
    .where("tenant_id", "=", tenantId)
    .where("collection_id", "=", collectionId)
    .where("trashed_at", "is", null)
    .execute();
  return rows.map(({ id }) => id);
}
