import type { TenantTransaction } from "@svc/database/database";
import { plannedAnew } from "@svc/database/statement-name";
import { sql } from "kysely";
import type { EntityType } from "../index/documents.ts";
import { type Source, visibleDocuments, visiblePlaces } from "../visibility/visible-documents.ts";

/** Fewer have too few trigrams to resemble anything. Digits do not count: a number or a code means what it says. */
const leastLetters = 4;
/** The share of the query's trigrams in the best part of the name: "buget forcast" has 0.56 of budget forecast. */
const leastAlike = 0.4;

export interface Suggestion {
  id: string;
  entityType: EntityType;
}

/** Visible items with a name similar to the query; each name once. */
export async function suggestNames(
  { db, tenantId }: TenantTransaction,
  source: Source,
  typed: string,
  limit: number,
): Promise<Suggestion[]> {
  const text = typed.slice(0, 200);
  if ((text.match(/\p{L}/gu)?.length ?? 0) < leastLetters) return [];
  await sql`select set_config('pg_trgm.word_similarity_threshold', ${String(leastAlike)}, true)`.execute(db);
  // guard: suggestions-of-visible
  const { rows } = await sql<Suggestion>`
    ${plannedAnew} with ${visiblePlaces(tenantId, source.visibility, source.filters)},
    alike as materialized (
      select document.id, document.entity_type, document.name, ${text} <<-> document.whole_name as distance
      ${visibleDocuments(source)} and ${text} <% document.whole_name limit 500),
    named as (select distinct on (name) * from alike order by name, distance, id)
    select id, entity_type as "entityType" from named order by distance, name limit ${limit}`.execute(db);
  return rows;
}
