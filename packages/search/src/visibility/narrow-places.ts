import type { TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";
import { type Visibility, visiblePlaces } from "./visible-documents.ts";

/** Places that one value of `in:` names: a path may exist in several workspaces. */
export type NamedPlaces = ReadonlySet<string>;

/**
 * Those that the caller can see, with the places above each. A hidden place is none, though nothing in it would be
 * found: the answer names values that find no place.
 */
export async function findVisiblePlaces(
  { db, tenantId }: TenantTransaction,
  visibility: Visibility,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  if (ids.length === 0) return new Map();
  // guard: named-places-are-visible
  const isVisible = sql`(place.id in (select id from place) or place.id in (select id from door))`;
  const { rows } = await sql<{ id: string; above: string[] }>`
    with recursive ${visiblePlaces(tenantId, visibility, { entityTypes: [] })},
    above as (
      select place.id, place.parent_id from app.search_place as place
      where place.tenant_id = ${tenantId} and place.id = any(${[...ids]}::uuid[]) and ${isVisible}
      union
      select above.id, parent.parent_id from above
      join app.search_place as parent on parent.tenant_id = ${tenantId} and parent.id = above.parent_id)
    select id, array_remove(array_agg(parent_id), null) as above from above group by id`.execute(db);
  return new Map(rows.map(({ id, above }) => [id, new Set(above)]));
}

/**
 * The places of several values: alternatives, except that a value within another narrows it. `in:/a in:/a/b` is /a/b;
 * `in:marketing in:/reports` is the /reports of marketing; `in:/a in:/c` is both.
 */
export function narrowPlaces(
  values: readonly NamedPlaces[],
  above: ReadonlyMap<string, ReadonlySet<string>>,
): string[] {
  const isBelow = (place: string, other: NamedPlaces) =>
    [...(above.get(place) ?? [])].some((id) => other.has(id));
  const isWithin = (value: NamedPlaces, other: NamedPlaces) =>
    value !== other &&
    ([...value].some((place) => isBelow(place, other)) ||
      (value.size < other.size && value.isSubsetOf(other)));
  const inner = values.filter((value) => !values.some((other) => isWithin(other, value)));
  const places = (inner.length > 0 ? inner : values).flatMap((value) => {
    const outer = values.filter((other) => isWithin(value, other));
    return [...value].filter((place) => {
      const isIn = (other: NamedPlaces) => other.has(place) || isBelow(place, other);
      // Of two outer values that are unrelated, one is enough: they are alternatives.
      const isAlternative = (one: NamedPlaces, other: NamedPlaces) =>
        one !== other && !isWithin(one, other) && !isWithin(other, one);
      return outer.every(
        (other) => isIn(other) || outer.some((another) => isAlternative(another, other) && isIn(another)),
      );
    });
  });
  return [...new Set(places)];
}
