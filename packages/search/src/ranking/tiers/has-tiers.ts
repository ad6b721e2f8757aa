import type { TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";
import { analyserVersion } from "../../analyser/analyse-text.ts";
import { onShelves } from "../../index/shelf.ts";

/**
 * Whether all documents of the tenant have tiers: a search by tiers would miss one that was written by another version.
 * Each version is looked up in the index, hidden documents included: all of a tenant are reindexed together, so this
 * tells no more than that a reindexing has not ended.
 */
export async function hasTiers(
  { db, tenantId }: TenantTransaction,
  shelves: readonly number[],
): Promise<boolean> {
  const others = [...Array(analyserVersion).keys(), analyserVersion + 1];
  const { rows } = await sql<{ hasOthers: boolean }>`
    select exists (
      select from app.searchable
      where tenant_id = ${tenantId} and ${onShelves("shelf_id", shelves)} and analyser_version = any(${others}::smallint[]))
      as "hasOthers"`.execute(db);
  return rows[0]?.hasOthers === false;
}
