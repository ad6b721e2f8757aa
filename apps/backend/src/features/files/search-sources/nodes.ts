import type { SearchDocument } from "@svc/search/index/documents";
import { type Excerpt, type ExcerptRequest, selectExcerpts } from "@svc/search/snippets/excerpts";
import { sql } from "kysely";
import { PerTransaction } from "../../../platform/commands/per-transaction.ts";
import {
  defineSearchSource,
  type SearchScope,
  type ShownEntity,
} from "../../../platform/search/search-source.ts";
import { allRights } from "../../access/access.ts";
import { foldersLeadingTo } from "../files-store.ts";
import { placeAllNodes } from "../search-places.ts";
import { formatPath } from "../tree/path.ts";

/** Files by name and text, folders by name. */
export default defineSearchSource({
  entityTypes: ["FILE", "FOLDER"],
  atOnce: 500,

  /** PostgreSQL knows the length of a stored text without reading it. */
  async bytes({ db, tenantId }, ids) {
    const { rows } = await sql<{ id: string; bytes: number }>`
      select node.id, octet_length(stored.text) as bytes
      from app.node as node
      join app.node_text as stored
        on stored.tenant_id = ${tenantId} and stored.node_id = node.id and stored.content_version = node.content_version
      where node.tenant_id = ${tenantId} and node.id = any(${[...ids]}::uuid[])`.execute(db);
    return new Map(rows.map(({ id, bytes }) => [id, bytes]));
  },

  async documents({ db, tenantId }, ids) {
    const { rows } = await sql<SearchDocument>`
      select node.id, upper(node.kind) as "entityType", node.workspace_id as "workspaceId",
        case when node.kind = 'folder' or scope.anchor_id = node.id then node.id else node.parent_id end as "placeId",
        node.name, coalesce(stored.text, '') as text,
        coalesce(stored.outcome = 'truncated', false) as "isTextCut", node.media_type as "mediaType", node.created_by as "ownerId",
        node.updated_at as "updatedAt", node.content_version as "contentVersion"
      from app.node as node
      join app.acl_scope as scope on scope.tenant_id = ${tenantId} and scope.id = node.acl_scope_id
      left join app.node_text as stored
        on stored.tenant_id = ${tenantId} and stored.node_id = node.id and stored.content_version = node.content_version
      where node.tenant_id = ${tenantId} and node.id = any(${[...ids]}::uuid[]) and node.trashed_at is null`.execute(
      db,
    );
    return rows;
  },

  async list({ db, tenantId }, { after, limit, ...scope }) {
    const { rows } = await sql<{ id: string; entityType: "FILE" | "FOLDER"; workspaceId: string }>`
      select node.id, upper(node.kind) as "entityType", node.workspace_id as "workspaceId" ${nodesIn(tenantId, scope)}
        ${after === undefined ? sql`` : sql`and node.id > ${after}`}
      order by node.id limit ${limit}`.execute(db);
    return rows;
  },

  async count({ db, tenantId }, scope) {
    const { rows } = await sql<{
      count: number;
    }>`select count(*) as count ${nodesIn(tenantId, scope)}`.execute(db);
    return rows[0]?.count ?? 0;
  },

  async show(context, ids, excerpt) {
    const { db, tenantId } = context.transaction;
    // Hits are materialized: otherwise PostgreSQL may make excerpts of all texts, if it expects few nodes.
    const { rows } = await sql<{
      id: string;
      kind: "file" | "folder";
      names: string[];
      isTrashed: boolean;
      scopeId: string;
      workspaceId: string;
      mediaType: string | null;
      updatedAt: Date;
      createdAt: Date;
      createdBy: string;
      size: number | null;
      parentId: string;
      excerpts: Excerpt[] | null;
    }>`
      with recursive chain as (
        select node.id as goal, node.parent_id, array[node.name] as names, node.trashed_at is not null as is_trashed
        from app.node as node where node.tenant_id = ${tenantId} and node.id = any(${[...ids]}::uuid[])
        union all
        select chain.goal, node.parent_id, node.name || chain.names, chain.is_trashed or node.trashed_at is not null
        from chain join app.node as node on node.tenant_id = ${tenantId} and node.id = chain.parent_id),
      hit as materialized (
        select node.id, node.kind, chain.names, chain.is_trashed as "isTrashed", node.acl_scope_id as "scopeId",
          node.workspace_id as "workspaceId", node.media_type as "mediaType", node.updated_at as "updatedAt",
          node.created_at as "createdAt", node.created_by as "createdBy", node.size, node.parent_id as "parentId",
          node.content_version
        from chain join app.node as node on node.tenant_id = ${tenantId} and node.id = chain.goal
        where chain.parent_id = node.workspace_id)
      select hit.*, part.excerpts
      from hit left join lateral (${excerptsOf(tenantId, excerpt)}) as part on true`.execute(db);
    const rights = await allRights(context);
    const doors = new Set(rows.some(({ kind }) => kind === "folder") ? await this.doors?.(context) : []);
    return rows
      .filter(({ id, isTrashed, scopeId, workspaceId }) => {
        const mayRead = rights.get(workspaceId)?.roleIn(scopeId) !== undefined;
        // guard: hits-are-checked
        return !isTrashed && (mayRead || doors.has(id));
      })
      .map(
        ({
          id,
          names,
          scopeId,
          mediaType,
          workspaceId,
          updatedAt,
          createdAt,
          excerpts,
          ...node
        }): ShownEntity => ({
          id,
          title: names.at(-1) ?? "",
          path: formatPath(names),
          workspaceId,
          updatedAt,
          createdAt,
          ...(node.size === null ? {} : { size: node.size }),
          ...(names.length > 1
            ? {
                parent: {
                  ...{ kind: "folder" as const, id: node.parentId, name: names.at(-2) ?? "" },
                  path: formatPath(names.slice(0, -1)),
                },
              }
            : {}),
          // Of a folder on the way only the name is visible.
          // guard: owners-of-readable-nodes
          ...(rights.get(workspaceId)?.roleIn(scopeId) === undefined ? {} : { ownerId: node.createdBy }),
          ...(mediaType === null ? {} : { mediaType }),
          ...(excerpts === null ? {} : { excerpts }),
        }),
      );
  },

  async inspect(context, id) {
    const { db, tenantId } = context.transaction;
    const { rows } = await sql<InspectedNode>`
      with recursive chain as (
        select node.id, node.parent_id, array[node.name] as names, case when node.trashed_at is not null then node.name end
          as trashed
        from app.node as node where node.tenant_id = ${tenantId} and node.id = ${id}
        union all
        select chain.id, node.parent_id, node.name || chain.names,
          coalesce(case when node.trashed_at is not null then node.name end, chain.trashed)
        from chain join app.node as node on node.tenant_id = ${tenantId} and node.id = chain.parent_id)
      select chain.names, node.acl_scope_id as "scopeId", node.workspace_id as "workspaceId", stored.outcome,
        stored.attempts, stored.retry_at as "retryAt",
        case when workspace.trashed_at is not null then workspace.name else chain.trashed end as trashed
      from chain
      join app.node as node on node.tenant_id = ${tenantId} and node.id = chain.id
      join app.workspace as workspace on workspace.tenant_id = ${tenantId} and workspace.id = node.workspace_id
      left join app.node_text as stored
        on stored.tenant_id = ${tenantId} and stored.node_id = node.id and stored.content_version = node.content_version
      where chain.parent_id = node.workspace_id`.execute(db);
    const [row] = rows;
    if (!row) return undefined;
    const { names, scopeId, workspaceId, trashed, outcome, attempts, retryAt } = row;
    const mayRead = (await allRights(context)).get(workspaceId)?.roleIn(scopeId) !== undefined;
    const isDoor = !mayRead && trashed === null && (await this.doors?.(context))?.includes(id);
    // guard: hidden-nodes-are-missing
    if (!mayRead && !isDoor && !context.actor.isAdministrator) return undefined;
    return {
      title: formatPath(names),
      workspaceId,
      ...(trashed === null ? {} : { trashed }),
      ...(outcome === null ? {} : { reading: { outcome, attempts, retryAt } }),
    };
  },

  /** Called before the search, and again for its page. */
  doors({ transaction, actor }) {
    return knownDoors.once(transaction, actor.id, () => findDoors({ transaction, actor }));
  },

  sortKeys: (tenantId) => {
    const ofNode = (column: string) => sql<never>`(
      select node.${sql.ref(column)} from app.node as node where node.tenant_id = ${tenantId} and node.id = document.id)`;
    return { createdAt: ofNode("created_at"), size: ofNode("size") };
  },

  placeAll: placeAllNodes,
});

const knownDoors = new PerTransaction<Promise<string[]>>();

async function findDoors(context: Parameters<typeof allRights>[0]): Promise<string[]> {
  const anchors = [...(await allRights(context)).values()].flatMap((rights) => rights.anchorsBelowHidden);
  return [...(await foldersLeadingTo(context.transaction, anchors))];
}

interface InspectedNode {
  names: string[];
  scopeId: string;
  workspaceId: string;
  trashed: string | null;
  /** Null for a folder, and so are the next fields. */
  outcome: string | null;
  attempts: number;
  retryAt: Date | null;
}

function nodesIn(tenantId: string, { workspaceId, folderId }: SearchScope) {
  const below = sql`node.id in (
    with recursive below as (
      select ${folderId ?? null}::uuid as id
      union
      select child.id from below
      join app.node as child on child.tenant_id = ${tenantId} and child.parent_id = below.id)
    select id from below)`;
  return sql`
    from app.node as node
    where node.tenant_id = ${tenantId} and node.trashed_at is null
      ${workspaceId === undefined ? sql`` : sql`and node.workspace_id = ${workspaceId}`}
      ${folderId === undefined ? sql`` : sql`and ${below}`}`;
}

function excerptsOf(tenantId: string, request: ExcerptRequest | undefined) {
  if (!request) return sql`select null::jsonb as excerpts`;
  return sql`
    select part.excerpts
    from app.node_text as stored
    cross join lateral (${selectExcerpts(sql`stored.text`, sql`hit.id`, request)}) as part
    where stored.tenant_id = ${tenantId} and stored.node_id = hit.id and stored.content_version = hit.content_version`;
}
