import type { TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";

export interface ParkedFile {
  id: string;
  workspaceId: string;
  name: string;
  failure: string | null;
  attempts: number;
}

/** Files whose current content is parked, without those that changed since. */
export async function listParked(
  { db, tenantId }: TenantTransaction,
  { after, limit }: { after?: string | undefined; limit: number },
): Promise<ParkedFile[]> {
  const { rows } = await sql<ParkedFile>`
    select node.id, node.workspace_id as "workspaceId", node.name, entry.failure, entry.attempts
    from app.embedding_index_queue_entry as entry
    join app.node as node
      on node.tenant_id = ${tenantId} and node.id = entry.node_id and node.content_version = entry.parked_version
    where entry.tenant_id = ${tenantId} ${after === undefined ? sql`` : sql`and entry.node_id > ${after}::uuid`}
    order by entry.node_id limit ${limit}`.execute(db);
  return rows;
}

/** Queues files that are parked or scheduled for later; returns how many. */
export async function retryFailed({ db, tenantId }: TenantTransaction): Promise<number> {
  const { numAffectedRows } = await sql`
    update app.embedding_index_queue_entry set parked_version = null, attempts = 0, not_before = null
    where tenant_id = ${tenantId} and (parked_version is not null or not_before is not null)`.execute(db);
  return Number(numAffectedRows ?? 0);
}
