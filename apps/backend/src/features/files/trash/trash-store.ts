import type { TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";
import { inScopes, type Node, nodeColumns, type ReadableScopes } from "../files-store.ts";

/** The nodes that were deleted themselves, newest first, without the nodes below them. */
export async function listTrash(
  { db, tenantId }: TenantTransaction,
  workspaceId: string,
  readable: ReadableScopes,
  { before, limit }: { before?: { at: string; id: string } | undefined; limit: number },
): Promise<(Node & { trashedAt: Date })[]> {
  const { rows } = await sql<Node & { trashedAt: Date }>`
    select ${nodeColumns} from app.node as node
    where node.tenant_id = ${tenantId} and node.workspace_id = ${workspaceId} and node.trashed_at is not null
      and ${inScopes(readable)}
      and ${before ? sql`(node.trashed_at, node.id) < (${before.at}::timestamptz, ${before.id}::uuid)` : sql`true`}
    order by node.trashed_at desc, node.id desc limit ${limit}`.execute(db);
  return rows;
}
