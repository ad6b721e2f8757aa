import type { TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";
import { findShelves, onShelves } from "./shelf.ts";

export interface SearchPlace {
  id: string;
  workspaceId: string;
  parentId: string | null;
  scopeId: string;
  isHidden: boolean;
}

export async function writePlace(
  { db, tenantId }: TenantTransaction,
  { id, workspaceId, parentId, scopeId, isHidden }: SearchPlace,
): Promise<void> {
  await sql`
    insert into app.search_place (tenant_id, id, workspace_id, parent_id, acl_scope_id, is_hidden)
    values (${tenantId}, ${id}, ${workspaceId}, ${parentId}, ${scopeId}, ${isHidden})
    on conflict (tenant_id, id) do update set workspace_id = excluded.workspace_id, parent_id = excluded.parent_id,
      acl_scope_id = excluded.acl_scope_id, is_hidden = excluded.is_hidden`.execute(db);
}

/**
 * For rebuilding places: until its transaction ends nobody else writes the existing places of a workspace. So what is
 * read after this stays.
 */
export async function holdPlaces({ db, tenantId }: TenantTransaction, workspaceId: string): Promise<void> {
  await sql`
    select from app.search_place where tenant_id = ${tenantId} and workspace_id = ${workspaceId}
    order by id for update`.execute(db);
}

/** Removes a place for good, with everything in it and below it; or a document that was in another place. */
export async function forgetPlace(transaction: TenantTransaction, id: string): Promise<void> {
  const { db, tenantId } = transaction;
  const { all } = await findShelves(transaction, { hold: true });
  await sql`
    with recursive below as (
      select ${id}::uuid as id
      union
      select place.id from below
      join app.search_place as place on place.tenant_id = ${tenantId} and place.parent_id = below.id),
    gone as (
      delete from app.searchable as document
      where document.tenant_id = ${tenantId} and ${onShelves("document.shelf_id", all)}
        and (document.id = ${id} or document.place_id in (select id from below)))
    delete from app.search_place as place
    where place.tenant_id = ${tenantId} and place.id in (select id from below)`.execute(db);
}
