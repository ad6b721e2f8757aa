import type { TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";
import type { EntityType } from "../index/documents.ts";
import { findShelves, onShelves } from "../index/shelf.ts";
import { type Source, visibleDocuments, visiblePlaces } from "../visibility/visible-documents.ts";

export interface DocumentCount {
  entityType: EntityType;
  documents: number;
  /** Made by another version of the analyser. */
  outdated: number;
  cut: number;
}

/** All documents of a tenant, visible or not, in the trash or not. */
export async function countAll(transaction: TenantTransaction, analyser: number): Promise<DocumentCount[]> {
  const { db, tenantId } = transaction;
  const { all } = await findShelves(transaction, { hold: false });
  const { rows } = await sql<DocumentCount>`
    select entity_type as "entityType", count(*) as documents,
      count(*) filter (where analyser_version <> ${analyser}) as outdated, count(*) filter (where is_cut) as cut
    from app.searchable where tenant_id = ${tenantId} and ${onShelves("shelf_id", all)}
    group by entity_type order by entity_type`.execute(db);
  return rows;
}

export async function countVisible(
  { db, tenantId }: TenantTransaction,
  source: Source,
): Promise<Pick<DocumentCount, "entityType" | "documents">[]> {
  // guard: counts-of-visible
  const { rows } = await sql<Pick<DocumentCount, "entityType" | "documents">>`
    with ${visiblePlaces(tenantId, source.visibility, source.filters)}
    select document.entity_type as "entityType", count(*) as documents ${visibleDocuments(source)}
    group by document.entity_type order by document.entity_type`.execute(db);
  return rows;
}
