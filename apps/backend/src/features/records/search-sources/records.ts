import type { SearchDocument } from "@svc/search/index/documents";
import { sql } from "kysely";
import {
  defineSearchSource,
  type SearchScope,
  type ShownEntity,
} from "../../../platform/search/search-source.ts";
import { allRights } from "../../access/access.ts";
import { type Field, placeCollections } from "../../collections/collections.ts";
import type { Values } from "../record-value.ts";

/** Records by title, by the text of their fields, and by their long text. */
export default defineSearchSource({
  entityTypes: ["RECORD"],
  atOnce: 200,

  async documents({ db, tenantId }, ids) {
    const { rows } = await sql<SearchDocument & { fields: Field[]; values: Values }>`
      select record.id, 'RECORD' as "entityType", collection.workspace_id as "workspaceId",
        record.collection_id as "placeId", record.title as name, record.body as text, null as "mediaType",
        record.created_by as "ownerId", record.updated_at as "updatedAt", record.version as "contentVersion",
        collection.fields, record.fields as values
      from app.record as record
      join app.collection as collection on collection.tenant_id = ${tenantId} and collection.id = record.collection_id
      where record.tenant_id = ${tenantId} and record.id = any(${[...ids]}::uuid[]) and record.trashed_at is null`.execute(
      db,
    );
    return rows.map(({ fields, values, text, ...document }) => ({
      ...document,
      text: [...wordsOf(fields, values), text].join("\n"),
    }));
  },

  async list({ db, tenantId }, { after, limit, ...scope }) {
    const { rows } = await sql<{ id: string; entityType: "RECORD"; workspaceId: string }>`
      select record.id, 'RECORD' as "entityType", collection.workspace_id as "workspaceId" ${recordsIn(tenantId, scope)}
        ${after === undefined ? sql`` : sql`and record.id > ${after}`}
      order by record.id limit ${limit}`.execute(db);
    return rows;
  },

  async count({ db, tenantId }, scope) {
    const { rows } = await sql<{
      count: number;
    }>`select count(*) as count ${recordsIn(tenantId, scope)}`.execute(db);
    return rows[0]?.count ?? 0;
  },

  async show(context, ids, excerpt) {
    const { db, tenantId } = context.transaction;
    const { rows } = await sql<{
      id: string;
      title: string;
      collection: string;
      scopeId: string;
      workspaceId: string;
      updatedAt: Date;
      fields: Field[];
      values: Values;
      body: string;
    }>`
      select record.id, record.title, collection.name as collection, collection.acl_scope_id as "scopeId",
        collection.workspace_id as "workspaceId", record.updated_at as "updatedAt", collection.fields,
        record.fields as values, left(record.body, 20000) as body
      from app.record as record
      join app.collection as collection on collection.tenant_id = ${tenantId} and collection.id = record.collection_id
      where record.tenant_id = ${tenantId} and record.id = any(${[...ids]}::uuid[])
        and record.trashed_at is null and collection.trashed_at is null`.execute(db);
    const rights = await allRights(context);
    return rows
      .filter(({ workspaceId, scopeId }) => rights.get(workspaceId)?.roleIn(scopeId) !== undefined)
      .map(
        ({ id, title, collection, workspaceId, updatedAt, fields, values, body }): ShownEntity => ({
          id,
          title,
          path: collection,
          workspaceId,
          updatedAt,
          ...(excerpt ? { excerpt: stretchOf([...wordsOf(fields, values), body].join("\n"), excerpt) } : {}),
        }),
      );
  },

  async inspect(context, id) {
    const { db, tenantId } = context.transaction;
    const { rows } = await sql<{
      title: string;
      scopeId: string;
      workspaceId: string;
      trashed: string | null;
    }>`
      select record.title, collection.acl_scope_id as "scopeId", collection.workspace_id as "workspaceId",
        case when workspace.trashed_at is not null then workspace.name
          when collection.trashed_at is not null then collection.name
          when record.trashed_at is not null then record.title end as trashed
      from app.record as record
      join app.collection as collection on collection.tenant_id = ${tenantId} and collection.id = record.collection_id
      join app.workspace as workspace on workspace.tenant_id = ${tenantId} and workspace.id = collection.workspace_id
      where record.tenant_id = ${tenantId} and record.id = ${id}`.execute(db);
    const [row] = rows;
    if (!row) return undefined;
    const mayRead = (await allRights(context)).get(row.workspaceId)?.roleIn(row.scopeId) !== undefined;
    if (!mayRead && !context.actor.isAdministrator) return undefined;
    const { title, workspaceId, trashed } = row;
    return { title, workspaceId, ...(trashed === null ? {} : { trashed }) };
  },

  placeAll: placeCollections,
});

/** Records are not in folders. */
function recordsIn(tenantId: string, { workspaceId, folderId }: SearchScope) {
  return sql`
    from app.record as record
    join app.collection as collection on collection.tenant_id = ${tenantId} and collection.id = record.collection_id
    where record.tenant_id = ${tenantId} and record.trashed_at is null
      ${workspaceId === undefined ? sql`` : sql`and collection.workspace_id = ${workspaceId}`}
      ${folderId === undefined ? sql`` : sql`and false`}`;
}

/** Links and people are ids; their names belong to other features. */
function wordsOf(fields: readonly Field[], values: Values): string[] {
  return fields
    .filter(({ type }) => type === "text" || type === "choice" || type === "number" || type === "date")
    .flatMap(({ key }) => {
      const value = values[key];
      return value === undefined || value === null ? [] : [String(value)];
    });
}

function stretchOf(text: string, { words, characters }: { words: readonly string[]; characters: number }) {
  const looked = text.toLowerCase();
  const found = words.map((word) => looked.indexOf(word)).filter((at) => at !== -1);
  const first = found.length > 0 ? Math.min(...found) : 0;
  const start = Math.max(0, first - Math.floor(characters / 3));
  return { text: text.slice(start, start + characters), start };
}
