import { sql } from "kysely";

/** A query for the ids of places and of everything below them. */
export function placesBelow(tenantId: string, roots: readonly string[]) {
  return sql`
    with recursive below as (
      select unnest(${[...roots]}::uuid[]) as id
      union
      select place.id from below
      join app.search_place as place on place.tenant_id = ${tenantId} and place.parent_id = below.id)
    select id from below`;
}
