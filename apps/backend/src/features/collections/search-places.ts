import type { TenantTransaction } from "@svc/database/database";
import { type RawBuilder, sql } from "kysely";

/** Sets the access list of a collection's records, and whether they are in the trash with it. */
export function placeCollection(transaction: TenantTransaction, collectionId: string): Promise<void> {
  return placeThose(transaction, sql`collection.id = ${collectionId}`);
}

export function placeCollections(transaction: TenantTransaction, workspaceId: string): Promise<void> {
  return placeThose(transaction, sql`collection.workspace_id = ${workspaceId}`);
}

async function placeThose({ db, tenantId }: TenantTransaction, which: RawBuilder<unknown>): Promise<void> {
  await sql`
    insert into app.search_place (tenant_id, id, workspace_id, parent_id, acl_scope_id, is_hidden)
    select ${tenantId}, collection.id, collection.workspace_id, collection.workspace_id, collection.acl_scope_id,
      collection.trashed_at is not null
    from app.collection as collection where collection.tenant_id = ${tenantId} and ${which}
    on conflict (tenant_id, id) do update
      set acl_scope_id = excluded.acl_scope_id, is_hidden = excluded.is_hidden`.execute(db);
}
