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

/** A version that was undone is kept for redo and shown to nobody. */
const isShown = sql<boolean>`version.undone_at is null`;

export function listVersions(
  transaction: TenantTransaction,
  nodeId: string,
  { before, limit }: { before?: number | undefined; limit: number },
): Promise<FileVersion[]> {
  return versionsOf(transaction, nodeId)
    .where(isShown)
    .$if(before !== undefined, (query) => query.where("version.content_version", "<", before ?? 0))
    .orderBy("version.content_version", "desc")
    .limit(limit)
    .execute();
}

export function findVersion(
  transaction: TenantTransaction,
  nodeId: string,
  version: number,
  which: "shown" | "undone too" = "shown",
): Promise<FileVersion | undefined> {
  return versionsOf(transaction, nodeId)
    .$if(which === "shown", (query) => query.where(isShown))
    .where("version.content_version", "=", version)
    .executeTakeFirst();
}

/** How many of these are versions that are shown, with these contents. */
export async function countShown(
  { db, tenantId }: TenantTransaction,
  versions: readonly { nodeId: string; version: number; sha256: string }[],
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
    from unnest(${versions.map(({ nodeId }) => nodeId)}::uuid[], ${versions.map(({ version }) => version)}::int[],
      ${versions.map(({ sha256 }) => sha256)}::text[]) as given (node_id, content_version, digest)
    join app.node_version as version on version.tenant_id = ${tenantId} and version.node_id = given.node_id
      and version.content_version = given.content_version and version.sha256 = decode(given.digest, 'hex')
    where ${isShown}`.execute(db);
  return rows[0]?.count ?? 0;
}

export async function setVersionUndone(
  { db, tenantId }: TenantTransaction,
  nodeId: string,
  version: number,
  undoneAt: Date | null,
): Promise<void> {
  await db
    .updateTable("app.node_version")
    .set({ undone_at: undoneAt })
    .where("tenant_id", "=", tenantId)
    .where("node_id", "=", nodeId)
    .where("content_version", "=", version)
    .execute();
}
