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
  // Written into the statement: for values that it does not know, PostgreSQL expects many rows and reads the whole shelf.
  const others = [...Array(analyserVersion).keys(), analyserVersion + 1].map((version) => sql.lit(version));
  const { rows } = await sql<{ hasOthers: boolean }>`
    select exists (
      select from app.searchable
      where tenant_id = ${tenantId} and ${onShelves("shelf_id", shelves)} and analyser_version in (${sql.join(others)}))
      as "hasOthers"`.execute(db);
  return rows[0]?.hasOthers === false;
}
