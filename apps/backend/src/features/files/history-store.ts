import type { TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";

export const changeKinds = [
  "created",
  "content",
  "renamed",
  "moved",
  "deleted",
  "restored",
  "touched",
] as const;

export interface NodeChange {
  /** Later changes have a greater place. */
  place: string;
  at: Date;
  by: string | null;
  what: (typeof changeKinds)[number];
  /** Of the content. */
  version: number | null;
  fromName: string | null;
  toName: string | null;
  fromParentId: string | null;
  toParentId: string | null;
}

/**
 * Everything that happened to one node, newest first: its creation, its later contents, and changes of its name or place.
 * An undone content is left out, as it is from its versions.
 */
export async function listChanges(
  { db, tenantId }: TenantTransaction,
  nodeId: string,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<NodeChange[]> {
  const { rows } = await sql<NodeChange>`
    select to_char(at at time zone 'UTC', 'YYYYMMDDHH24MISSUS') || behind as place, at, by, what, version,
      "fromName", "toName", "fromParentId", "toParentId"
    from (
      select created_at as at, created_by as by, 'created' as what, null::int as version, '0' as behind,
        null as "fromName", null as "toName", null::uuid as "fromParentId", null::uuid as "toParentId"
      from app.node where tenant_id = ${tenantId} and id = ${nodeId}
      union all
      select created_at, created_by, 'content', content_version, '1-' || lpad(content_version::text, 10, '0'),
        null, null, null, null
      from app.node_version
      where tenant_id = ${tenantId} and node_id = ${nodeId} and content_version > 1 and undone_at is null
      union all
      select at, changed_by, what, null, '2-' || id, from_name, to_name, from_parent_id, to_parent_id
      from app.node_change where tenant_id = ${tenantId} and node_id = ${nodeId}) as change
    where ${before === undefined ? sql`true` : sql`to_char(at at time zone 'UTC', 'YYYYMMDDHH24MISSUS') || behind < ${before}`}
    order by place desc limit ${limit}`.execute(db);
  return rows;
}
