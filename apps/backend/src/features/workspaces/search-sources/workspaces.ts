import type { SearchDocument } from "@svc/search/index/documents";
import { writePlace } from "@svc/search/index/places";
import { sql } from "kysely";
import { defineSearchSource, type SearchScope } from "../../../platform/search/search-source.ts";
import { allRights } from "../../access/access.ts";

/** Workspaces by name. */
export default defineSearchSource({
  entityTypes: ["WORKSPACE"],
  atOnce: 200,

  async documents({ db, tenantId }, ids) {
    const { rows } = await sql<SearchDocument>`
      select id, 'WORKSPACE' as "entityType", id as "workspaceId", id as "placeId", name, '' as text,
        null as "mediaType", null as "ownerId", created_at as "updatedAt", version as "contentVersion"
      from app.workspace where tenant_id = ${tenantId} and id = any(${[...ids]}::uuid[]) and trashed_at is null`.execute(
      db,
    );
    return rows;
  },

  async list({ db, tenantId }, { after, limit, ...scope }) {
    const { rows } = await sql<{ id: string; entityType: "WORKSPACE"; workspaceId: string }>`
      select id, 'WORKSPACE' as "entityType", id as "workspaceId" ${workspacesIn(tenantId, scope)}
        ${after === undefined ? sql`` : sql`and id > ${after}`}
      order by id limit ${limit}`.execute(db);
    return rows;
  },

  async count({ db, tenantId }, scope) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count ${workspacesIn(tenantId, scope)}`.execute(db);
    return rows[0]?.count ?? 0;
  },

  async show(context, ids) {
    const { db, tenantId } = context.transaction;
    const { rows } = await sql<{ id: string; title: string; updatedAt: Date }>`
      select id, name as title, created_at as "updatedAt" from app.workspace
      where tenant_id = ${tenantId} and id = any(${[...ids]}::uuid[]) and trashed_at is null`.execute(db);
    const rights = await allRights(context);
    // guard: workspaces-are-checked
    return rows
      .filter(({ id }) => rights.get(id)?.seesAnything)
      .map((workspace) => ({ ...workspace, createdAt: workspace.updatedAt, workspaceId: workspace.id }));
  },

  async inspect(context, id) {
    const { db, tenantId } = context.transaction;
    const { rows } = await sql<{ name: string; isTrashed: boolean }>`
      select name, trashed_at is not null as "isTrashed" from app.workspace
      where tenant_id = ${tenantId} and id = ${id}`.execute(db);
    const [row] = rows;
    const mayRead = (await allRights(context)).get(id)?.seesAnything ?? context.actor.isAdministrator;
    if (!row || !mayRead) return undefined;
    return { title: row.name, workspaceId: id, ...(row.isTrashed ? { trashed: row.name } : {}) };
  },

  async doors(context) {
    const rights = await allRights(context);
    return [...rights].filter(([, some]) => some.seesAnything).map(([id]) => id);
  },

  sortKeys: (tenantId) => ({
    createdAt: sql`(
      select workspace.created_at from app.workspace as workspace
      where workspace.tenant_id = ${tenantId} and workspace.id = document.id)`,
  }),

  placeAll: (transaction, workspaceId) =>
    writePlace(transaction, {
      id: workspaceId,
      workspaceId,
      parentId: null,
      scopeId: workspaceId,
      isHidden: false,
    }),
});

function workspacesIn(tenantId: string, { workspaceId, folderId }: SearchScope) {
  return sql`
    from app.workspace where tenant_id = ${tenantId} and trashed_at is null
      ${workspaceId === undefined ? sql`` : sql`and id = ${workspaceId}`}
      ${folderId === undefined ? sql`` : sql`and false`}`;
}
