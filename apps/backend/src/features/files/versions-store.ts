import type { TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";

export interface FileVersion {
  version: number;
  size: number;
  mediaType: string;
  sha256: string;
  createdAt: Date;
  createdBy: string | null;
}

function versionsOf({ db, tenantId }: TenantTransaction, nodeId: string) {
  return db
    .selectFrom("app.node_version as version")
    .leftJoin("app.principal as principal", (join) =>
      join
        .onRef("principal.tenant_id", "=", "version.tenant_id")
        .onRef("principal.id", "=", "version.created_by"),
    )
    .select([
      "version.content_version as version",
      "version.size",
      "version.media_type as mediaType",
      sql<string>`encode(version.sha256, 'hex')`.as("sha256"),
      "version.created_at as createdAt",
      "principal.name as createdBy",
    ])
    .where("version.tenant_id", "=", tenantId)
    .where("version.node_id", "=", nodeId);
}

export function listVersions(
  transaction: TenantTransaction,
  nodeId: string,
  { before, limit }: { before?: number; limit: number },
): Promise<FileVersion[]> {
  return versionsOf(transaction, nodeId)
    .$if(before !== undefined, (query) => query.where("version.content_version", "<", before ?? 0))
    .orderBy("version.content_version", "desc")
    .limit(limit)
    .execute();
}

export function findVersion(
  transaction: TenantTransaction,
  nodeId: string,
  version: number,
): Promise<FileVersion | undefined> {
  return versionsOf(transaction, nodeId).where("version.content_version", "=", version).executeTakeFirst();
}

export async function insertVersion(
  { db, tenantId, actorId }: TenantTransaction,
  nodeId: string,
  content: Pick<FileVersion, "version" | "size" | "mediaType" | "sha256">,
): Promise<void> {
  await db
    .insertInto("app.node_version")
    .values({
      tenant_id: tenantId,
      node_id: nodeId,
      content_version: content.version,
      size: content.size,
      media_type: content.mediaType,
      sha256: Buffer.from(content.sha256, "hex"),
      created_by: actorId,
    })
    .execute();
}

export async function deleteVersion(
  { db, tenantId }: TenantTransaction,
  nodeId: string,
  version: number,
): Promise<void> {
  await db
    .deleteFrom("app.node_version")
    .where("tenant_id", "=", tenantId)
    .where("node_id", "=", nodeId)
    .where("content_version", "=", version)
    .execute();
}
