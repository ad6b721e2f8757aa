import type { TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";

/** How many files have vectors of their current content, by model. */
export async function countByModel({
  db,
  tenantId,
}: TenantTransaction): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ model: string; files: number }>`
    select embedding.model, count(*) as files
    from app.file_embedding as embedding
    join app.node as node
      on node.tenant_id = ${tenantId} and node.id = embedding.node_id and node.content_version = embedding.content_version
    where embedding.tenant_id = ${tenantId} and embedding.chunk = 0 and embedding.place_id is not null
    group by embedding.model`.execute(db);
  return new Map(rows.map(({ model, files }) => [model, files]));
}

/** Files that one model covers and the other does not. */
export async function countMissing(
  { db, tenantId }: TenantTransaction,
  model: string,
  other: string,
): Promise<number> {
  const { rows } = await sql<{ files: number }>`
    select count(*) as files
    from app.file_embedding as embedding
    where embedding.tenant_id = ${tenantId} and embedding.model = ${model} and embedding.chunk = 0
      and embedding.place_id is not null and not exists (
        select from app.file_embedding as same
        where same.tenant_id = ${tenantId} and same.shelf_id = embedding.shelf_id and same.node_id = embedding.node_id
          and same.model = ${other} and same.chunk = 0 and same.content_version >= embedding.content_version)`.execute(
    db,
  );
  return rows[0]?.files ?? 0;
}
