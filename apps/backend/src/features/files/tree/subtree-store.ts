import type { TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";
import { partChangedByOthers } from "../../../platform/undo/last-change.ts";
import { changedByOthers, changedSince, type OwnWork } from "../../../platform/undo/work-of-others.ts";
import { type ChildFilter, type Node, nodeColumns, visible } from "../files-store.ts";

/** A node and everything below it that was not trashed separately, parents before children. */
export async function listSubtree(
  { db, tenantId }: TenantTransaction,
  rootId: string,
  { readable, leading }: ChildFilter,
  { depth, limit }: { depth: number; limit: number },
): Promise<(Node & { depth: number; names: string[] })[]> {
  const { rows } = await sql<Node & { depth: number; names: string[] }>`
    with recursive walk as (
      select node.id, 1 as depth, array[node.name] as names from app.node as node
      where node.tenant_id = ${tenantId} and node.parent_id = ${rootId} and node.trashed_at is null
        and ${visible(readable, leading)}
      union all
      select node.id, walk.depth + 1, walk.names || node.name
      from walk join app.node as node on node.tenant_id = ${tenantId} and node.parent_id = walk.id
      where node.trashed_at is null and walk.depth < ${depth} and ${visible(readable, leading)})
    select ${nodeColumns}, walk.depth, walk.names
    from walk join app.node as node on node.tenant_id = ${tenantId} and node.id = walk.id
    order by walk.names limit ${limit}`.execute(db);
  return rows;
}

/**
 * Moves the part of a subtree that follows one scope to another, in one statement. Parts with their own access list
 * keep it, and that list is attached below the new scope.
 */
export async function changeScope(
  { db, tenantId }: TenantTransaction,
  rootId: string,
  from: string,
  to: string,
): Promise<void> {
  // guard: moved-lists-inherit-anew
  await sql`
    with recursive walk as (
      select node.id from app.node as node
      where node.tenant_id = ${tenantId} and node.id = ${rootId} and node.acl_scope_id = ${from}
      union all
      select node.id from walk join app.node as node on node.tenant_id = ${tenantId} and node.parent_id = walk.id
      where node.acl_scope_id = ${from}),
    edge as (
      update app.acl_scope as scope set parent_id = ${to}
      where scope.tenant_id = ${tenantId} and scope.parent_id = ${from} and scope.id <> ${to}
        and (scope.anchor_id = ${rootId} or exists (
          select from app.node as node join walk on walk.id = node.parent_id
          where node.tenant_id = ${tenantId} and node.id = scope.anchor_id)))
    update app.node as node set acl_scope_id = ${to}
    from walk where node.tenant_id = ${tenantId} and node.id = walk.id`.execute(db);
}

type WholeSubtreeNode = Pick<Node, "id" | "kind" | "scopeId" | "contentVersion" | "size">;

/** A node and everything below it, including nodes that were trashed separately. */
export async function listWholeSubtree(
  { db, tenantId }: TenantTransaction,
  rootId: string,
): Promise<WholeSubtreeNode[]> {
  const { rows } = await sql<WholeSubtreeNode>`
    with recursive walk as (
      select node.id, node.kind, node.acl_scope_id, node.content_version, node.size from app.node as node
      where node.tenant_id = ${tenantId} and node.id = ${rootId}
      union all
      select node.id, node.kind, node.acl_scope_id, node.content_version, node.size
      from walk join app.node as node on node.tenant_id = ${tenantId} and node.parent_id = walk.id)
    select id, kind, acl_scope_id as "scopeId", content_version as "contentVersion", size from walk
    order by id`.execute(db);
  return rows;
}

/** What is at and below a node. A folder may hold a hundred thousand: only what is told about them leaves the database. */
export interface LockedSubtree {
  isOfOthers: boolean;
  /** Below it. */
  files: number;
  folders: number;
  /** The first ones below it that the caller can see, parents first. */
  first: (Pick<Node, "id" | "kind" | "version"> & { names: string[] })[];
}

/**
 * A node and everything below it that is not in the trash, and whether somebody else has a part in any of it: has
 * changed it or its access list since then, or at any time if it was moved here since. Locked until the transaction
 * ends; waits for changes that others are making right now.
 */
export async function lockSubtree(
  { db, tenantId }: TenantTransaction,
  rootId: string,
  own: OwnWork,
  { readable, most }: Pick<ChildFilter, "readable"> & { most: number },
): Promise<LockedSubtree> {
  const authors = sql.ref("node.authors");
  const ofNode = sql`change.subject_id = node.id`;
  // guard: moved-in-by-others
  const { rows } = await sql<LockedSubtree>`
    with recursive walk as (
      select node.id, array[]::text[] as names, ${changedSince(authors, own)} as came_since from app.node as node
      where node.tenant_id = ${tenantId} and node.id = ${rootId}
      union all
      select node.id, walk.names || node.name, walk.came_since or ${changedSince(authors, own)}
      from walk join app.node as node on node.tenant_id = ${tenantId} and node.parent_id = walk.id
      where node.trashed_at is null),
    locked as materialized (
      select node.id, node.kind, node.acl_scope_id, node.version, walk.names,
        ${changedByOthers(authors, own, "since")}
          or (walk.came_since and ${changedByOthers(authors, own, "ever")})
          or ${partChangedByOthers(tenantId, ofNode, own)}
          or (walk.came_since and ${partChangedByOthers(tenantId, ofNode, own, "ever")}) as is_of_others
      from walk join app.node as node on node.tenant_id = ${tenantId} and node.id = walk.id
      order by walk.names for update of node),
    listed as (
      select id, kind, version, names from locked
      where names <> '{}' and ${isReadable(readable)}
      order by names limit ${most})
    select bool_or(is_of_others) as "isOfOthers",
      count(*) filter (where names <> '{}' and kind = 'file')::int as files,
      count(*) filter (where names <> '{}' and kind = 'folder')::int as folders,
      (select coalesce(json_agg(listed order by names), '[]') from listed) as first
    from locked`.execute(db);
  const [row] = rows;
  if (!row) throw new Error("an aggregate returns a row");
  return row;
}

function isReadable(readable: ChildFilter["readable"]) {
  return readable === "all" ? sql<boolean>`true` : sql<boolean>`acl_scope_id = any(${readable}::uuid[])`;
}

/** Deletes permanently, including access lists. Returns the digest of every content that was referenced. */
export async function deleteNodes({ db, tenantId }: TenantTransaction, ids: string[]): Promise<string[]> {
  const held = await sql<{ sha256: string }>`
    delete from app.node_version where tenant_id = ${tenantId} and node_id = any(${ids}::uuid[])
    returning encode(sha256, 'hex') as sha256`.execute(db);
  await sql`delete from app.node where tenant_id = ${tenantId} and id = any(${ids}::uuid[])`.execute(db);
  await sql`delete from app.acl_scope where tenant_id = ${tenantId} and anchor_id = any(${ids}::uuid[])`.execute(
    db,
  );
  return held.rows.map(({ sha256 }) => sha256);
}
