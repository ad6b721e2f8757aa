import type { TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";
import { partChangedByOthers } from "../../platform/undo/last-change.ts";
import { changedByOthers, type OwnWork } from "../../platform/undo/work-of-others.ts";

interface Item {
  kind: "folder" | "file" | "collection";
  id: string;
  path: string;
  version: number;
}

/**
 * For an undo that would remove a workspace: what goes with it, and whether somebody else has a part in that. Locked
 * until the transaction ends, so that nothing is added.
 */
export async function lockContents(
  { db, tenantId }: TenantTransaction,
  workspaceId: string,
  own: OwnWork,
): Promise<{
  isOfOthers: boolean;
  going: { files: number; folders: number; collections: number; records: number; items: Item[] };
}> {
  // Adding a record locks its collection.
  await sql`
    select from app.collection where tenant_id = ${tenantId} and workspace_id = ${workspaceId} for update`.execute(
    db,
  );
  const inWorkspace = sql`change.subject_id in (
    select scope.anchor_id from app.acl_scope as scope
    where scope.tenant_id = ${tenantId} and scope.workspace_id = ${workspaceId})`;
  const others = await sql<{ isThere: boolean; records: number }>`
    select ${partChangedByOthers(tenantId, inWorkspace, own)}
      or exists (
        select from app.node as node
        where node.tenant_id = ${tenantId} and node.workspace_id = ${workspaceId}
          and ${changedByOthers(sql.ref("node.authors"), own, "since")})
      or exists (
        select from app.collection as collection
        where collection.tenant_id = ${tenantId} and collection.workspace_id = ${workspaceId}
          and ${changedByOthers(sql.ref("collection.authors"), own, "since")})
      or exists (
        select from app.record as record
        join app.collection as collection
          on collection.tenant_id = ${tenantId} and collection.id = record.collection_id
        where record.tenant_id = ${tenantId} and collection.workspace_id = ${workspaceId}
          and ${changedByOthers(sql.ref("record.authors"), own, "since")}) as "isThere",
      (select count(*) from app.record as record
       join app.collection as collection
         on collection.tenant_id = ${tenantId} and collection.id = record.collection_id
       where record.tenant_id = ${tenantId} and collection.workspace_id = ${workspaceId}
         and record.trashed_at is null and collection.trashed_at is null) as records`.execute(db);
  const { rows: items } = await sql<Item>`
    with recursive walk as (
      select node.id, '/' || node.name as path from app.node as node
      where node.tenant_id = ${tenantId} and node.parent_id = ${workspaceId} and node.trashed_at is null
      union all
      select node.id, walk.path || '/' || node.name
      from walk join app.node as node on node.tenant_id = ${tenantId} and node.parent_id = walk.id
      where node.trashed_at is null)
    select * from (
      select node.kind, node.id, walk.path, node.version
      from walk join app.node as node on node.tenant_id = ${tenantId} and node.id = walk.id
      union all
      select 'collection', collection.id, collection.name, collection.version from app.collection as collection
      where collection.tenant_id = ${tenantId} and collection.workspace_id = ${workspaceId}
        and collection.trashed_at is null) as item
    order by kind <> 'collection', path`.execute(db);
  const count = (kind: Item["kind"]) => items.filter((item) => item.kind === kind).length;
  const [found] = others.rows;
  return {
    isOfOthers: found?.isThere !== false,
    going: {
      files: count("file"),
      folders: count("folder"),
      collections: count("collection"),
      records: found?.records ?? 0,
      items,
    },
  };
}
