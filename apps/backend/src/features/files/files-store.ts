import type { TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";
import { beginsWith } from "../../platform/completions/prefix-range.ts";
import type { LeftBy } from "../../platform/undo/left-by.ts";

export interface Node {
  id: string;
  workspaceId: string;
  parentId: string;
  kind: "folder" | "file";
  name: string;
  scopeId: string;
  contentVersion: number;
  size: number | null;
  mediaType: string | null;
  sha256: string | null;
  createdAt: Date;
  updatedAt: Date;
  trashedAt: Date | null;
  version: number;
  /** See `leftBy`. */
  changeId: string | null;
}

export const nodeColumns = sql<Node>`
  node.id, node.workspace_id as "workspaceId", node.parent_id as "parentId", node.kind, node.name,
  node.acl_scope_id as "scopeId", node.content_version as "contentVersion", node.size,
  node.media_type as "mediaType", encode(node.sha256, 'hex') as sha256, node.created_at as "createdAt",
  node.updated_at as "updatedAt", node.trashed_at as "trashedAt", node.version,
  node.change_id as "changeId"`;

export type ReadableScopes = readonly string[] | "all";

/**
 * Walks down from the root, one name at a time, as far as the names exist. `next` is counted in the row and not in the
 * condition: under row security, arithmetic in the condition could leak through an overflow, so PostgreSQL would not
 * use the name as an index condition and would read a folder of 80,000 whole (66 ms instead of 0.4).
 */
export async function walkDown(
  { db, tenantId }: TenantTransaction,
  workspaceId: string,
  names: readonly string[],
): Promise<Node[]> {
  if (names.length === 0) return [];
  const { rows } = await sql<Node>`
    with recursive walk as (
      select 1 as next, ${workspaceId}::uuid as id
      union all
      select walk.next + 1, node.id
      from walk join app.node as node
        on node.tenant_id = ${tenantId} and node.parent_id = walk.id and node.trashed_at is null
       and node.name = (${[...names]}::text[])[walk.next])
    select ${nodeColumns} from walk join app.node as node on node.tenant_id = ${tenantId} and node.id = walk.id
    where walk.next > 1 order by walk.next`.execute(db);
  return rows;
}

/** From a node up to the root, the node last. Empty if it does not exist. */
export async function walkUp({ db, tenantId }: TenantTransaction, id: string): Promise<Node[]> {
  const { rows } = await sql<Node>`
    with recursive walk as (
      select 0 as depth, ${id}::uuid as id
      union all
      select walk.depth + 1, node.parent_id
      from walk join app.node as node on node.tenant_id = ${tenantId} and node.id = walk.id)
    select ${nodeColumns} from walk join app.node as node on node.tenant_id = ${tenantId} and node.id = walk.id
    order by walk.depth desc`.execute(db);
  return rows;
}

/** These nodes and all folders above them, each once. Nodes that do not exist are left out. */
export async function walkUpFromAll(
  { db, tenantId }: TenantTransaction,
  ids: readonly string[],
): Promise<Node[]> {
  const { rows } = await sql<Node>`
    with recursive walk as (
      select node.id, node.parent_id from app.node as node
      where node.tenant_id = ${tenantId} and node.id = any(${[...ids]}::uuid[])
      union
      select node.id, node.parent_id
      from walk join app.node as node on node.tenant_id = ${tenantId} and node.id = walk.parent_id)
    select ${nodeColumns} from walk join app.node as node on node.tenant_id = ${tenantId} and node.id = walk.id
    `.execute(db);
  return rows;
}

/** Every folder on the way from the root to one of these nodes, including the nodes; none for nodes in the trash. */
export async function foldersLeadingTo(
  { db, tenantId }: TenantTransaction,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    with recursive walk as (
      select node.id as goal, node.id, node.parent_id, node.trashed_at from app.node as node
      where node.tenant_id = ${tenantId} and node.id = any(${[...ids]}::uuid[])
      union all
      select walk.goal, node.id, node.parent_id, node.trashed_at
      from walk join app.node as node on node.tenant_id = ${tenantId} and node.id = walk.parent_id)
    select distinct id from walk
    where goal not in (select goal from walk where trashed_at is not null)`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

export interface ChildFilter {
  readable: ReadableScopes;
  /** Folders that are shown although they cannot be read, because they lead to something that can. */
  leading: ReadonlySet<string>;
}

/** Folders first, then by name, as people expect. */
export async function listChildren(
  { db, tenantId }: TenantTransaction,
  parentId: string,
  { readable, leading }: ChildFilter,
  { after, limit }: { after?: { kind: string; name: string } | undefined; limit: number },
): Promise<Node[]> {
  const { rows } = await sql<Node>`
    select ${nodeColumns} from app.node as node
    where node.tenant_id = ${tenantId} and node.parent_id = ${parentId} and node.trashed_at is null
      and ${visible(readable, leading)}
      and ${after ? sql`(node.kind <> 'folder', node.name) > (${after.kind !== "folder"}, ${after.name})` : sql`true`}
    order by node.kind <> 'folder', node.name limit ${limit}`.execute(db);
  return rows;
}

/** The first ones by name that begin with this text: a range of `node_by_name`, however many the folder holds. */
export function childrenBeginning(
  tenantId: string,
  parentId: string,
  text: string,
  { readable, leading }: ChildFilter,
  limit: number,
) {
  // guard: completion-shows-visible-files
  const isShown = visible(readable, leading);
  return sql<Pick<Node, "kind" | "name" | "size">>`
    select node.kind, node.name, node.size from app.node as node
    where node.tenant_id = ${tenantId} and node.parent_id = ${parentId} and node.trashed_at is null
      and ${beginsWith(sql.ref("node.name"), text)} and ${isShown}
    order by node.name limit ${limit}`;
}

export function visible(readable: ReadableScopes, leading: ReadonlySet<string>) {
  if (leading.size === 0) return inScopes(readable);
  return sql<boolean>`(${inScopes(readable)} or node.id = any(${[...leading]}::uuid[]))`;
}

export function inScopes(readable: ReadableScopes) {
  if (readable === "all") return sql<boolean>`true`;
  return sql<boolean>`node.acl_scope_id = any(${[...readable]}::uuid[])`;
}

/** What has these names in these folders, if anything. */
export async function findNamed(
  { db, tenantId }: TenantTransaction,
  places: readonly Pick<Node, "parentId" | "name">[],
): Promise<Node[]> {
  if (places.length === 0) return [];
  const { rows } = await sql<Node>`
    select ${nodeColumns}
    from unnest(${places.map(({ parentId }) => parentId)}::uuid[], ${places.map(({ name }) => name)}::text[])
      as given (parent_id, name)
    join app.node as node on node.tenant_id = ${tenantId} and node.parent_id = given.parent_id
      and node.name = given.name and node.trashed_at is null`.execute(db);
  return rows;
}

/** False if the row has another version by now, or if the name is taken in its folder. */
export async function updateNode(
  { db, tenantId, actorId }: TenantTransaction,
  node: Pick<Node, "id" | "version" | "parentId" | "name" | "trashedAt">,
  set: Partial<
    Pick<
      Node,
      | "name"
      | "parentId"
      | "trashedAt"
      | "updatedAt"
      | "contentVersion"
      | "size"
      | "mediaType"
      | "sha256"
      | "version"
    >
  > &
    LeftBy,
): Promise<boolean> {
  const staysTrashed = (set.trashedAt === undefined ? node.trashedAt : set.trashedAt) !== null;
  const place = { parentId: set.parentId ?? node.parentId, name: set.name ?? node.name };
  const { numUpdatedRows } = await db
    .updateTable("app.node")
    .set({
      name: place.name,
      parent_id: place.parentId,
      trashed_at: set.trashedAt,
      content_version: set.contentVersion,
      size: set.size,
      media_type: set.mediaType,
      sha256: set.sha256 == null ? undefined : Buffer.from(set.sha256, "hex"),
      updated_at: set.updatedAt ?? sql<Date>`now()`,
      updated_by: actorId,
      version: set.version ?? node.version + 1,
      change_id: set.changeId,
    })
    .where("tenant_id", "=", tenantId)
    .where("id", "=", node.id)
    .where("version", "=", node.version)
    // A name in the trash is free for others.
    .$if(!staysTrashed, (query) =>
      query.where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom("app.node as other")
              .select("other.id")
              .where("other.tenant_id", "=", tenantId)
              .where("other.parent_id", "=", place.parentId)
              .where("other.name", "=", place.name)
              .where("other.trashed_at", "is", null)
              .where("other.id", "!=", node.id),
          ),
        ),
      ),
    )
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Returns the ids of those that nobody changed meanwhile. */
export async function trashNodes(
  { db, tenantId, actorId }: TenantTransaction,
  nodes: readonly Pick<Node, "id" | "version">[],
  at: Date,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update app.node as node set trashed_at = ${at}, updated_at = now(), updated_by = ${actorId},
      version = node.version + 1
    from unnest(${nodes.map(({ id }) => id)}::uuid[], ${nodes.map(({ version }) => version)}::int[])
      as given (id, version)
    where node.tenant_id = ${tenantId} and node.id = given.id and node.version = given.version
    returning node.id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Whether in the trash or not. */
export async function findNode({ db, tenantId }: TenantTransaction, id: string): Promise<Node | undefined> {
  const { rows } = await sql<Node>`
    select ${nodeColumns} from app.node as node where node.tenant_id = ${tenantId} and node.id = ${id}`.execute(
    db,
  );
  return rows[0];
}
