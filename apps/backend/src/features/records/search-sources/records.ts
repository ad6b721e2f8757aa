import type { SearchDocument } from "@svc/search/index/documents";
import { type Excerpt, type ExcerptRequest, selectExcerpts } from "@svc/search/snippets/excerpts";
import { sql } from "kysely";
import {
  defineSearchSource,
  type SearchScope,
  type ShownEntity,
} from "../../../platform/search/search-source.ts";
import { allRights } from "../../access/access.ts";
import { placeCollections } from "../../collections/collections.ts";

/** Records by title, by the text of their fields, and by their long text. */
export default defineSearchSource({
  entityTypes: ["RECORD"],
  atOnce: 200,

  async documents({ db, tenantId }, ids) {
    const { rows } = await sql<SearchDocument>`
      select record.id, 'RECORD' as "entityType", collection.workspace_id as "workspaceId",
        record.collection_id as "placeId", record.title as name, stored.text, null as "mediaType",
        record.created_by as "ownerId", record.updated_at as "updatedAt", record.version as "contentVersion"
      from app.record as record
      join app.collection as collection on collection.tenant_id = ${tenantId} and collection.id = record.collection_id
      cross join lateral (${textOfRecord}) as stored
      where record.tenant_id = ${tenantId} and record.id = any(${[...ids]}::uuid[]) and record.trashed_at is null`.execute(
      db,
    );
    return rows;
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

  async show(context, ids, request) {
    const { db, tenantId } = context.transaction;
    const { rows } = await sql<{
      id: string;
      title: string;
      collection: string;
      scopeId: string;
      workspaceId: string;
      updatedAt: Date;
      createdAt: Date;
      createdBy: string;
      collectionId: string;
      excerpts: Excerpt[] | null;
    }>`
      select record.id, record.title, collection.name as collection, collection.id as "collectionId",
        record.created_at as "createdAt", record.created_by as "createdBy", collection.acl_scope_id as "scopeId",
        collection.workspace_id as "workspaceId", record.updated_at as "updatedAt", part.excerpts
      from app.record as record
      join app.collection as collection on collection.tenant_id = ${tenantId} and collection.id = record.collection_id
      left join lateral (${excerptsOf(request)}) as part on true
      where record.tenant_id = ${tenantId} and record.id = any(${[...ids]}::uuid[])
        and record.trashed_at is null and collection.trashed_at is null`.execute(db);
    const rights = await allRights(context);
    // guard: records-are-checked
    return rows
      .filter(({ workspaceId, scopeId }) => rights.get(workspaceId)?.roleIn(scopeId) !== undefined)
      .map(
        ({
          id,
          title,
          collection,
          workspaceId,
          updatedAt,
          createdAt,
          createdBy,
          collectionId,
          excerpts,
        }): ShownEntity => ({
          id,
          title,
          path: collection,
          workspaceId,
          updatedAt,
          createdAt,
          parent: { kind: "collection", id: collectionId, name: collection },
          ownerId: createdBy,
          ...(excerpts === null ? {} : { excerpts }),
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
    // guard: hidden-records-are-missing
    if (!mayRead && !context.actor.isAdministrator) return undefined;
    const { title, workspaceId, trashed } = row;
    return { title, workspaceId, ...(trashed === null ? {} : { trashed }) };
  },

  sortKeys: (tenantId) => ({
    createdAt: sql`(
      select record.created_at from app.record as record
      where record.tenant_id = ${tenantId} and record.id = document.id)`,
  }),

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

/**
 * The values of its fields, then its long text. Links and people are ids; their names belong to other features.
 */
const textOfRecord = sql`
  select concat_ws(E'\n', string_agg(record.fields ->> (field ->> 'key'), E'\n' order by place), record.body) as text
  from jsonb_array_elements(collection.fields) with ordinality as defined (field, place)
  where field ->> 'type' in ('text', 'choice', 'number', 'date')`;

function excerptsOf(request: ExcerptRequest | undefined) {
  if (!request) return sql`select null::jsonb as excerpts`;
  return sql`
    select part.excerpts from (${textOfRecord} offset 0) as stored
    cross join lateral (${selectExcerpts(sql`stored.text`, sql`record.id`, request)}) as part`;
}
