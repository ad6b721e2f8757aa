import type { TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";
import type { AnalysedDocument } from "../analyser/analyse-document.ts";
import { analyseDocuments } from "../analyser/analyse-documents.ts";
import { analyserVersion } from "../analyser/analyse-text.ts";
import { inGroups } from "../analyser/in-groups.ts";
import { folderMarks } from "./folder-marks.ts";
import { languageMark } from "./language-marks.ts";
import { placesBelow } from "./places-below.ts";
import { sampleMarks } from "./sample-marks.ts";
import { findShelves, onShelves, type Shelves } from "./shelf.ts";

export const entityTypes = ["FILE", "FOLDER", "RECORD", "WORKSPACE"] as const;
export type EntityType = (typeof entityTypes)[number];

/** What can be found: its name, its text, and what a search filters by. Its place decides who may find it. */
export interface SearchDocument {
  id: string;
  entityType: EntityType;
  workspaceId: string;
  /** The folder, collection or workspace whose rights it follows; itself if it has its own list. */
  placeId: string;
  name: string;
  text: string;
  /** The text was longer than what is stored. */
  isTextCut?: boolean;
  mediaType: string | null;
  ownerId: string | null;
  updatedAt: Date;
  contentVersion: number;
}

/** Writes the current state of documents to the index, whatever it held before. */
export async function writeDocuments(
  transaction: TenantTransaction,
  documents: readonly SearchDocument[],
): Promise<void> {
  await writeAnalysed(transaction, documents, await analyseDocuments(documents));
}

/** The same, of what was analysed before. */
export async function writeAnalysed(
  transaction: TenantTransaction,
  documents: readonly SearchDocument[],
  analysed: readonly AnalysedDocument[],
): Promise<void> {
  if (documents.length === 0) return;
  const shelves = await findShelves(transaction, { hold: true });
  await leaveOldShelves(
    transaction,
    shelves,
    documents.map(({ id }) => id),
  );
  const rows = documents.map((document, index) => rowOf(document, analysed[index] as AnalysedDocument));
  for (const some of inGroups(rows, (row) => row.body_tsv.length, mostCharactersAtOnce)) {
    await writeRows(transaction, shelves, some);
  }
}

/** The vectors of files among them stay, but are no longer found: restoring from the trash costs nothing. */
export async function removeDocuments(transaction: TenantTransaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const { db, tenantId } = transaction;
  const shelves = await findShelves(transaction, { hold: true });
  await removeFrom(transaction, shelves.all, ids);
  await sql`
    update app.file_embedding set place_id = null
    where tenant_id = ${tenantId} and ${onShelves("shelf_id", shelves.all)} and node_id = any(${[...ids]}::uuid[])
      and place_id is not null`.execute(db);
}

/**
 * For reindexing: until its transaction ends nobody else writes these documents, not even missing ones. So what is
 * read after this stays in the index.
 */
export async function holdDocuments(
  transaction: TenantTransaction,
  documents: readonly Pick<SearchDocument, "id" | "entityType" | "workspaceId">[],
): Promise<void> {
  const { db, tenantId } = transaction;
  const shelves = await findShelves(transaction, { hold: true });
  const sorted = documents.toSorted((left, right) => (left.id < right.id ? -1 : 1));
  const ids = sorted.map(({ id }) => id);
  await sql`
    insert into app.searchable (
      tenant_id, shelf_id, id, entity_type, workspace_id, place_id, name, whole_name, name_tsv, name_length, body_tsv,
      body_length, is_cut, updated_at, content_version, analyser_version)
    select ${tenantId}, ${shelves.forNew}, row.id, row.entity_type, row.workspace_id, row.id, '', '', '', 0, '', 0, false, now(),
      0, 0
    from unnest(${ids}::uuid[], ${sorted.map(({ entityType }) => entityType)}::text[],
      ${sorted.map(({ workspaceId }) => workspaceId)}::uuid[]) as row (id, entity_type, workspace_id)
    where not exists (
      select from app.searchable as document
      where document.tenant_id = ${tenantId} and ${onShelves("document.shelf_id", shelves.all)}
        and document.id = row.id)
    on conflict (tenant_id, shelf_id, id) do nothing`.execute(db);
  await lockDocuments(transaction, ids);
}

/** In the order of their ids, like every writer of more than one: otherwise two could deadlock. */
export async function lockDocuments(transaction: TenantTransaction, ids: readonly string[]): Promise<void> {
  const { db, tenantId } = transaction;
  const { all } = await findShelves(transaction, { hold: true });
  await sql`
    select from app.searchable where tenant_id = ${tenantId} and ${onShelves("shelf_id", all)}
      and id = any(${[...ids]}::uuid[]) order by id for update`.execute(db);
}

/**
 * The documents in the index by id, including those of deleted items. Shelf by shelf, each in its order: with two at
 * once everything would be sorted for each batch while a tenant moves (0.4 s of 200,000).
 */
export async function listDocuments(
  transaction: TenantTransaction,
  {
    entityTypes: types,
    workspaceId,
    folderId,
    after,
    limit,
  }: {
    entityTypes: readonly EntityType[];
    workspaceId?: string;
    folderId?: string;
    after?: string;
    limit: number;
  },
): Promise<Pick<SearchDocument, "id" | "entityType" | "workspaceId">[]> {
  const { db, tenantId } = transaction;
  const { all } = await findShelves(transaction, { hold: true });
  const { rows } = await sql<Pick<SearchDocument, "id" | "entityType" | "workspaceId">>`
    select document.* from unnest(${[...all]}::smallint[]) as shelf (id)
    cross join lateral (
      select document.id, document.entity_type as "entityType", document.workspace_id as "workspaceId"
      from app.searchable as document
      where document.tenant_id = ${tenantId} and document.shelf_id = shelf.id
        and document.entity_type = any(${[...types]}::text[])
        ${after === undefined ? sql`` : sql`and document.id > ${after}`}
        ${workspaceId === undefined ? sql`` : sql`and document.workspace_id = ${workspaceId}`}
        ${folderId === undefined ? sql`` : sql`and document.place_id in (${placesBelow(tenantId, [folderId])})`}
      order by document.id limit ${limit}) as document
    order by document.id limit ${limit}`.execute(db);
  return rows;
}

/**
 * While a tenant moves, a written document leaves the old shelf first: the mover waits for it, and then finds it gone.
 */
async function leaveOldShelves(
  transaction: TenantTransaction,
  { all, forNew }: Shelves,
  ids: readonly string[],
): Promise<void> {
  const old = all.filter((shelf) => shelf !== forNew);
  if (old.length > 0) await removeFrom(transaction, old, ids);
}

/**
 * One shelf after the other, the old one first: reindexing moves a document to the new one, and a statement that
 * waited for that on the old one does not see it there.
 */
async function removeFrom(
  { db, tenantId }: TenantTransaction,
  shelves: readonly number[],
  ids: readonly string[],
): Promise<void> {
  for (const shelf of shelves) {
    await sql`
      delete from app.searchable
      where tenant_id = ${tenantId} and shelf_id = ${shelf} and id = any(${[...ids]}::uuid[])`.execute(db);
  }
}

async function writeRows(
  transaction: TenantTransaction,
  shelves: Shelves,
  rows: readonly DocumentRow[],
): Promise<void> {
  // The vectors of a file move with it. Those of a new file, or one that stays in place, are left alone.
  await sql`
    with written as (insert into app.searchable as document (
      tenant_id, shelf_id, id, entity_type, workspace_id, place_id, name, whole_name, name_tsv, name_length, body_tsv,
      body_length, is_cut, extension, media_type, owner_id, updated_at, content_version, analyser_version)
    select ${transaction.tenantId}, ${shelves.forNew}, row.id, row.entity_type, row.workspace_id, row.place_id, row.name,
      row.whole_name, row.name_tsv::tsvector, row.name_length, row.body_tsv::tsvector, row.body_length, row.is_cut,
      row.extension, row.media_type, row.owner_id, row.updated_at, row.content_version, ${analyserVersion}
    from json_to_recordset(${JSON.stringify(rows)}::json) as row (
      id uuid, entity_type text, workspace_id uuid, place_id uuid, name text, whole_name text, name_tsv text,
      name_length int, body_tsv text, body_length int, is_cut boolean, extension text, media_type text, owner_id uuid,
      updated_at timestamptz, content_version int)
    on conflict (tenant_id, shelf_id, id) do update set
      entity_type = excluded.entity_type, workspace_id = excluded.workspace_id, place_id = excluded.place_id,
      name = excluded.name, whole_name = excluded.whole_name, name_tsv = excluded.name_tsv,
      name_length = excluded.name_length, body_tsv = excluded.body_tsv, body_length = excluded.body_length,
      is_cut = excluded.is_cut, extension = excluded.extension, media_type = excluded.media_type,
      owner_id = excluded.owner_id, updated_at = excluded.updated_at, content_version = excluded.content_version,
      analyser_version = excluded.analyser_version
    returning new.id, new.place_id)
    update app.file_embedding as embedding set place_id = written.place_id from written
    where embedding.tenant_id = ${transaction.tenantId} and ${onShelves("embedding.shelf_id", shelves.all)}
      and embedding.node_id = written.id and embedding.place_id is distinct from written.place_id`.execute(
    transaction.db,
  );
}

type DocumentRow = ReturnType<typeof rowOf>;

function rowOf(
  { isTextCut = false, ...document }: SearchDocument,
  { name, wholeName, body, languages }: AnalysedDocument,
) {
  return {
    id: document.id,
    entity_type: document.entityType,
    workspace_id: document.workspaceId,
    place_id: document.placeId,
    name: document.name,
    whole_name: wholeName,
    name_tsv: [name.text, ...(document.entityType === "FOLDER" ? folderMarks(document.name) : [])].join(" "),
    name_length: name.length,
    body_tsv: [body.text, ...languages.map(languageMark), ...sampleMarks(document.id)].join(" "),
    body_length: body.length,
    is_cut: isTextCut || name.isCut || body.isCut,
    extension: document.entityType === "FILE" ? extensionOf(document.name) : null,
    media_type: document.mediaType,
    owner_id: document.ownerId,
    updated_at: document.updatedAt.toISOString(),
    content_version: document.contentVersion,
  };
}

/** A statement is serialised as one JSON text, which blocks the process: 10 ms for this much. */
const mostCharactersAtOnce = 1_000_000;

/** In the form that `type:` compares. */
export function extensionOf(name: string): string | null {
  return /[^.]\.([^.\s/]{1,20})$/u.exec(name)?.[1]?.toLowerCase() ?? null;
}
