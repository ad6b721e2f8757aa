import type { TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";
import { type Node, nodeColumns } from "./files-store.ts";
import type { StoredText } from "./text-store.ts";

/** Where a new node goes. */
export type NewPlace = Pick<Node, "workspaceId" | "parentId" | "name" | "scopeId">;

export interface NewContent {
  size: number;
  mediaType: string;
  sha256: string;
  text: StoredText;
}

/** One parameter for each column: its values in all rows. */
function columns<Row>(rows: readonly Row[], ...each: readonly [(row: Row) => unknown, string][]) {
  return sql.join(each.map(([value, type]) => sql`${rows.map(value)}::${sql.raw(type)}[]`));
}

/** Without those whose names are taken. */
export async function insertFolders(
  { db, tenantId, actorId }: TenantTransaction,
  places: readonly NewPlace[],
): Promise<Node[]> {
  const { rows } = await sql<Node>`
    insert into app.node as node (
      tenant_id, workspace_id, parent_id, kind, name, acl_scope_id, created_by, updated_by)
    select ${tenantId}, workspace_id, parent_id, 'folder', name, acl_scope_id, ${actorId}, ${actorId}
    from unnest(${columns(places, ...placeColumns)}) as given (workspace_id, parent_id, name, acl_scope_id)
    on conflict (tenant_id, parent_id, name) where trashed_at is null do nothing
    returning ${nodeColumns}`.execute(db);
  return rows;
}

const placeColumns = [
  [({ workspaceId }: NewPlace) => workspaceId, "uuid"],
  [({ parentId }: NewPlace) => parentId, "uuid"],
  [({ name }: NewPlace) => name, "text"],
  [({ scopeId }: NewPlace) => scopeId, "uuid"],
] as const satisfies [(place: NewPlace) => unknown, string][];

const contentColumns = [
  [({ size }: NewContent) => size, "bigint"],
  [({ mediaType }: NewContent) => mediaType, "text"],
  [({ sha256 }: NewContent) => sha256, "text"],
  [({ text }: NewContent) => text.outcome, "text"],
  [({ text }: NewContent) => text.text, "text"],
  [({ text }: NewContent) => text.extractorVersion, "int"],
  [({ text }: NewContent) => text.attempts, "int"],
  [({ text }: NewContent) => text.retryAt, "timestamptz"],
] as const satisfies [(content: NewContent) => unknown, string][];

const contentNames = sql`size, media_type, digest, outcome, text, extractor_version, attempts, retry_at`;

/**
 * With their first versions and their texts, in one statement, because this is the most frequent write. Without those
 * whose names are taken.
 */
export async function insertFiles(
  { db, tenantId, actorId }: TenantTransaction,
  files: readonly (NewPlace & NewContent)[],
): Promise<Node[]> {
  const { rows } = await sql<Node>`
    with given as (
      select uuidv7() as id, * from unnest(${columns(files, ...placeColumns, ...contentColumns)})
        as given (workspace_id, parent_id, name, acl_scope_id, ${contentNames})),
    node as (
      insert into app.node (
        tenant_id, id, workspace_id, parent_id, kind, name, acl_scope_id, content_version, size, media_type, sha256,
        created_by, updated_by)
      select ${tenantId}, id, workspace_id, parent_id, 'file', name, acl_scope_id, 1, size, media_type,
        decode(digest, 'hex'), ${actorId}, ${actorId} from given
      on conflict (tenant_id, parent_id, name) where trashed_at is null do nothing
      returning *),
    ${storeVersions(tenantId, actorId)}
    select ${nodeColumns} from node`.execute(db);
  return rows;
}

/**
 * Gives files new content, as their next version. Without those that somebody changed meanwhile. A version's number is
 * used once, because an undone version may come back.
 */
export async function replaceContents(
  { db, tenantId, actorId }: TenantTransaction,
  files: readonly (Pick<Node, "id" | "version"> & NewContent)[],
): Promise<Node[]> {
  const { rows } = await sql<Node>`
    with given as (
      select given.*, (
        select max(version.content_version) + 1 from app.node_version as version
        where version.tenant_id = ${tenantId} and version.node_id = given.id) as content_version
      from unnest(${columns(files, [({ id }) => id, "uuid"], [({ version }) => version, "int"], ...contentColumns)})
        as given (id, version, ${contentNames})),
    node as (
      update app.node as node set content_version = given.content_version, size = given.size,
        media_type = given.media_type, sha256 = decode(given.digest, 'hex'), updated_at = now(), updated_by = ${actorId},
        version = node.version + 1
      from given where node.tenant_id = ${tenantId} and node.id = given.id and node.version = given.version
      returning node.*),
    ${storeVersions(tenantId, actorId)}
    select ${nodeColumns} from node`.execute(db);
  return rows;
}

/** A version of each row of `node`, with the text that `given` has for it. */
function storeVersions(tenantId: string, actorId: string) {
  return sql`
    version as (
      insert into app.node_version (tenant_id, node_id, content_version, size, media_type, sha256, created_by)
      select tenant_id, id, content_version, size, media_type, sha256, ${actorId} from node),
    stored as (
      insert into app.node_text (
        tenant_id, node_id, content_version, outcome, text, extractor_version, attempts, retry_at)
      select ${tenantId}, node.id, node.content_version, given.outcome, given.text, given.extractor_version,
        given.attempts, given.retry_at
      from node join given on given.id = node.id)`;
}
