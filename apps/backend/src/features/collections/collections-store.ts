import type { TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";
import { beginsWith } from "../../platform/completions/prefix-range.ts";
import { partChangedByOthers } from "../../platform/undo/last-change.ts";
import type { LeftBy } from "../../platform/undo/left-by.ts";
import { isWorkOfOthers, type OwnWork } from "../../platform/undo/work-of-others.ts";
import type { Field } from "./field.ts";

export interface Collection {
  id: string;
  workspaceId: string;
  name: string;
  slug: string;
  fields: Field[];
  /** The key of the field that is the title of its records. */
  titleField: string;
  scopeId: string;
  createdAt: Date;
  trashedAt: Date | null;
  version: number;
  /** See `leftBy`. */
  changeId: string | null;
}

const columns = [
  "collection.id",
  "collection.workspace_id as workspaceId",
  "collection.name",
  "collection.slug",
  sql<Field[]>`collection.fields`.as("fields"),
  "collection.title_field as titleField",
  "collection.acl_scope_id as scopeId",
  "collection.created_at as createdAt",
  "collection.trashed_at as trashedAt",
  "collection.version",
  "collection.change_id as changeId",
] as const;

/** Scopes that the caller can read, from `Rights`. */
export type Readable = readonly string[] | "all";

function collectionsOf({ db, tenantId }: TenantTransaction) {
  return db
    .selectFrom("app.collection as collection")
    .select(columns)
    .where("collection.tenant_id", "=", tenantId);
}

function readableBy(readable: Readable) {
  return readable === "all"
    ? sql<boolean>`true`
    : sql<boolean>`collection.acl_scope_id = any(${[...readable]}::uuid[])`;
}

export function listCollections(
  transaction: TenantTransaction,
  workspaceId: string,
  options: {
    readable: Readable;
    after?: string | undefined;
    /** Only slugs that begin with it. */
    beginning?: string;
    limit: number;
  },
): Promise<Collection[]> {
  return collectionsOf(transaction)
    .where("collection.workspace_id", "=", workspaceId)
    .where("collection.trashed_at", "is", null)
    .where(readableBy(options.readable))
    .$if(options.after !== undefined, (query) => query.where("collection.slug", ">", options.after ?? ""))
    .where(beginsWith(sql.ref("collection.slug"), options.beginning ?? ""))
    .orderBy("collection.slug")
    .limit(options.limit)
    .execute();
}

/** In the trash too. */
export function findCollection(transaction: TenantTransaction, id: string): Promise<Collection | undefined> {
  return collectionsOf(transaction).where("collection.id", "=", id).executeTakeFirst();
}

/** By slug first. Collections that the caller cannot read are not found by name. */
export function findCollectionByName(
  transaction: TenantTransaction,
  workspaceId: string,
  { text, readable }: { text: string; readable: Readable },
): Promise<Collection | undefined> {
  return collectionsOf(transaction)
    .where("collection.workspace_id", "=", workspaceId)
    .where("collection.trashed_at", "is", null)
    .where((where) => where.or([where("collection.slug", "=", text), where("collection.name", "=", text)]))
    .where(readableBy(readable))
    .orderBy((order) => order("collection.slug", "!=", text))
    .orderBy("collection.slug")
    .executeTakeFirst();
}

/** Names of those of these collections that the caller can read. */
export async function readableNames(
  { db, tenantId }: TenantTransaction,
  ids: readonly string[],
  readable: Readable,
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("app.collection as collection")
    .select(["collection.id", "collection.name"])
    .where("collection.tenant_id", "=", tenantId)
    .where(sql<boolean>`collection.id = any(${[...ids]}::uuid[])`)
    .where("collection.trashed_at", "is", null)
    .where(readableBy(readable))
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Undefined if the slug is taken. It follows the access list of its workspace until it gets its own. */
export function insertCollection(
  { db, tenantId, actorId }: TenantTransaction,
  collection: Pick<Collection, "workspaceId" | "name" | "slug" | "fields" | "titleField">,
): Promise<Pick<Collection, "id" | "createdAt" | "version" | "changeId"> | undefined> {
  return db
    .insertInto("app.collection")
    .values({
      tenant_id: tenantId,
      workspace_id: collection.workspaceId,
      name: collection.name,
      slug: collection.slug,
      fields: JSON.stringify(collection.fields),
      title_field: collection.titleField,
      acl_scope_id: collection.workspaceId,
      created_by: actorId,
    })
    .onConflict((conflict) =>
      conflict.columns(["tenant_id", "workspace_id", "slug"]).where("trashed_at", "is", null).doNothing(),
    )
    .returning(["id", "created_at as createdAt", "version", "change_id as changeId"])
    .executeTakeFirst();
}

/** False if the row has another version by now, or if another collection has the slug. */
export async function updateCollection(
  { db, tenantId }: TenantTransaction,
  { id, version, workspaceId }: Pick<Collection, "id" | "version" | "workspaceId">,
  set: Partial<Pick<Collection, "name" | "slug" | "fields" | "titleField" | "trashedAt" | "version">> &
    LeftBy,
): Promise<boolean> {
  const { slug } = set;
  const { numUpdatedRows } = await db
    .updateTable("app.collection")
    .set({
      name: set.name,
      slug,
      fields: set.fields === undefined ? undefined : JSON.stringify(set.fields),
      title_field: set.titleField,
      trashed_at: set.trashedAt,
      version: set.version ?? version + 1,
      change_id: set.changeId,
    })
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .where("version", "=", version)
    .$if(slug !== undefined, (query) =>
      query.where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom("app.collection as other")
              .select("other.id")
              .where("other.tenant_id", "=", tenantId)
              .where("other.workspace_id", "=", workspaceId)
              .where("other.slug", "=", slug ?? "")
              .where("other.trashed_at", "is", null)
              .where("other.id", "!=", id),
          ),
        ),
      ),
    )
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Keeps the version: access is not a property of the collection, and earlier operations can still be undone. */
export async function setCollectionScope(
  { db, tenantId }: TenantTransaction,
  id: string,
  scopeId: string,
): Promise<void> {
  await db
    .updateTable("app.collection")
    .set({ acl_scope_id: scopeId })
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .execute();
}

/**
 * Until the transaction ends, nobody can alter or delete it; with an exclusive lock, nobody can add or change a record
 * either. False if somebody just altered or deleted it.
 */
export async function holdCollection(
  { db, tenantId }: TenantTransaction,
  { id, version }: Pick<Collection, "id" | "version">,
  { alone }: { alone: boolean },
): Promise<boolean> {
  const row = await db
    .selectFrom("app.collection")
    .select("id")
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .where("version", "=", version)
    .$if(alone, (query) => query.forUpdate())
    .$if(!alone, (query) => query.forShare())
    .executeTakeFirst();
  return row !== undefined;
}

export async function countRecords(
  { db, tenantId }: TenantTransaction,
  collectionId: string,
): Promise<number> {
  const { count } = await db
    .selectFrom("app.record")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("tenant_id", "=", tenantId)
    .where("collection_id", "=", collectionId)
    .where("trashed_at", "is", null)
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * Whether somebody else has since added or changed its records or its access list. With fields: whether others have
 * changed records that have values in them.
 */
export async function hasWorkOfOthers(
  { db, tenantId }: TenantTransaction,
  id: string,
  own: OwnWork,
  keys?: readonly string[],
): Promise<boolean> {
  const holds = keys ? sql`jsonb_exists_any(record.fields, ${[...keys]}::text[])` : sql`true`;
  const isShared = keys ? sql`false` : partChangedByOthers(tenantId, sql`change.subject_id = ${id}`, own);
  const { rows } = await sql<{ isThere: boolean }>`
    select ${isShared} or exists (
      select from app.record as record
      where record.tenant_id = ${tenantId} and record.collection_id = ${id} and record.trashed_at is null
        and ${holds} and ${isWorkOfOthers(sql.ref("record.authors"), own)}) as "isThere"`.execute(db);
  return rows[0]?.isThere === true;
}

/** How many records, including trashed ones, have one of these values in the field. */
export async function countHolding(
  { db, tenantId }: TenantTransaction,
  collectionId: string,
  key: string,
  values: readonly string[],
): Promise<number> {
  const { count } = await db
    .selectFrom("app.record")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("tenant_id", "=", tenantId)
    .where("collection_id", "=", collectionId)
    .where(sql<boolean>`fields ->> ${key} = any(${[...values]}::text[])`)
    .executeTakeFirstOrThrow();
  return count;
}

/** Takes the title of all records, including trashed ones, from another field. */
export async function retitleRecords(
  { db, tenantId }: TenantTransaction,
  collectionId: string,
  titleField: string,
): Promise<void> {
  await db
    .updateTable("app.record")
    .set({ title: sql<string>`coalesce(fields ->> ${titleField}, '')` })
    .where("tenant_id", "=", tenantId)
    .where("collection_id", "=", collectionId)
    .execute();
}
