import type { TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";

/**
 * Sets the access lists and the trash states of nodes and of every place below them. Places are folders, and files with
 * their own access list; other files share the place of their folder, so this touches none of them.
 */
export async function placeNodes(
  { db, tenantId }: TenantTransaction,
  rootIds: readonly string[],
): Promise<void> {
  // One of them may lie below another: `union` walks what is below both once.
  await sql`
    with recursive root as materialized (
      select node.* from app.node as node where node.tenant_id = ${tenantId} and node.id = any(${[...rootIds]}::uuid[])),
    above as (
      select root.id as root_id, root.parent_id, root.trashed_at from root
      union all
      select above.root_id, node.parent_id, node.trashed_at
      from above join app.node as node on node.tenant_id = ${tenantId} and node.id = above.parent_id),
    walk as (
      select root.id, root.workspace_id, root.parent_id, root.acl_scope_id,
        root.id in (select root_id from above where trashed_at is not null) as is_hidden
      from root
      union
      ${foldersBelow(tenantId)}),
    place as (
      select walk.* from walk join app.node as node on node.tenant_id = ${tenantId} and node.id = walk.id
      where node.kind = 'folder'
      union all
      ${filesWithLists(tenantId, sql`node.parent_id in (select id from walk) or node.id in (select id from root)`)})
    ${upsertPlaces(tenantId)}`.execute(db);
  await sql`
    delete from app.search_place as place using app.node as node
    where place.tenant_id = ${tenantId} and place.id = any(${[...rootIds]}::uuid[])
      and node.tenant_id = ${tenantId} and node.id = place.id
      and node.kind = 'file' and not exists (
        select from app.acl_scope as scope where scope.tenant_id = ${tenantId} and scope.anchor_id = node.id)`.execute(
    db,
  );
}

/** The same for all nodes of a workspace. */
export async function placeAllNodes({ db, tenantId }: TenantTransaction, workspaceId: string): Promise<void> {
  await sql`
    with recursive walk as (
      select node.id, node.workspace_id, node.parent_id, node.acl_scope_id, node.trashed_at is not null as is_hidden
      from app.node as node
      where node.tenant_id = ${tenantId} and node.parent_id = ${workspaceId} and (node.kind <> 'folder') = false
      union all
      ${foldersBelow(tenantId)}),
    place as (
      select * from walk
      union all
      ${filesWithLists(tenantId, sql`node.workspace_id = ${workspaceId}`)})
    ${upsertPlaces(tenantId)}`.execute(db);
}

/** The next step of `walk`. */
function foldersBelow(tenantId: string) {
  return sql`
    select node.id, node.workspace_id, node.parent_id, node.acl_scope_id, walk.is_hidden or node.trashed_at is not null
    from walk join app.node as node
      on node.tenant_id = ${tenantId} and node.parent_id = walk.id and (node.kind <> 'folder') = false`;
}

function filesWithLists(tenantId: string, which: ReturnType<typeof sql>) {
  return sql`
    select node.id, node.workspace_id, node.parent_id, node.acl_scope_id,
      node.trashed_at is not null or coalesce(folder.is_hidden, false)
    from app.acl_scope as scope
    join app.node as node on node.tenant_id = ${tenantId} and node.id = scope.anchor_id and node.kind = 'file'
    left join walk as folder on folder.id = node.parent_id
    where scope.tenant_id = ${tenantId} and (${which})`;
}

function upsertPlaces(tenantId: string) {
  return sql`
    insert into app.search_place as known (tenant_id, id, workspace_id, parent_id, acl_scope_id, is_hidden)
    select ${tenantId}, id, workspace_id, parent_id, acl_scope_id, is_hidden from place
    on conflict (tenant_id, id) do update set workspace_id = excluded.workspace_id, parent_id = excluded.parent_id,
      acl_scope_id = excluded.acl_scope_id, is_hidden = excluded.is_hidden
    where (known.workspace_id, known.parent_id, known.acl_scope_id, known.is_hidden)
      is distinct from (excluded.workspace_id, excluded.parent_id, excluded.acl_scope_id, excluded.is_hidden)`;
}
