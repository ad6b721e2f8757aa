import { type RawBuilder, sql } from "kysely";
import type { EntityType } from "../index/documents.ts";
import { placesBelow } from "../index/places-below.ts";
import { onShelves } from "../index/shelf.ts";

/** What a caller may see: the readable lists of existing workspaces, and more. */
export interface Visibility {
  workspaceIds: readonly string[];
  /** "all": every list of those workspaces. */
  scopeIds: readonly string[] | "all";
  /** Workspaces and folders whose names are visible because they lead to something readable. */
  doorIds: readonly string[];
}

export interface Filters {
  entityTypes: readonly EntityType[];
  /** Below one of these places. Absent: anywhere. */
  within?: readonly string[];
  notWithin?: readonly string[];
  /** Extensions, media types, or the part of one before the slash. */
  types?: readonly string[];
  excludedTypes?: readonly string[];
  mediaType?: string;
  ownerId?: string;
  updatedAfter?: Date;
}

/**
 * Places that the caller may read, as `place`, and those whose names are visible, as `door`; below `within` if that
 * is given.
 */
export function visiblePlaces(tenantId: string, visibility: Visibility, filters: Filters) {
  const { workspaceIds, scopeIds, doorIds } = visibility;
  // guard: readable-places-only
  const readable = scopeIds === "all" ? sql`` : sql`and place.acl_scope_id = any(${[...scopeIds]}::uuid[])`;
  // guard: live-places-in-workspace
  const there = sql`
    select place.id from app.search_place as place
    where place.tenant_id = ${tenantId} and not place.is_hidden and place.workspace_id = any(${[...workspaceIds]}::uuid[])
      ${filters.within ? sql`and place.id in (${placesBelow(tenantId, filters.within)})` : sql``}
      ${filters.notWithin?.length ? sql`and place.id not in (${placesBelow(tenantId, filters.notWithin)})` : sql``}`;
  return sql`
    place as materialized (${there} ${readable}),
    door as materialized (${there} and place.id = any(${[...doorIds]}::uuid[]))`;
}

export interface Source {
  tenantId: string;
  shelves: readonly number[];
  visibility: Visibility;
  filters: Filters;
  reach: Reach;
}

/**
 * How visible documents are separated from the rest. By "row": each is compared with a hashed list of the visible
 * places. By "index": the place index is combined with the word index, so that no other row is read; for callers who
 * see a part, in few enough places. By "place": place by place, for callers who see a small fraction.
 */
export type Reach = "row" | "index" | "place";

/** `from … where …` of the visible documents, as `document`; requires `visiblePlaces`. */
export function visibleDocuments({
  tenantId,
  shelves,
  filters,
  reach,
}: Omit<Source, "visibility">): RawBuilder<unknown> {
  const documents = sql`app.searchable as document`;
  const from =
    reach === "place"
      ? sql`(
        select document.* from place
        join ${documents} on document.tenant_id = ${tenantId} and document.place_id = place.id
        union all
        select document.* from door
        join ${documents} on document.tenant_id = ${tenantId} and document.id = door.id
        where document.place_id not in (select id from place)) as document`
      : documents;
  return sql`
    from ${from}
    where document.tenant_id = ${tenantId} and ${onShelves("document.shelf_id", shelves)} and ${isVisible[reach]}
      and ${passes(filters)}`;
}

const isVisible = {
  // guard: doors-are-visible
  row: sql`(document.place_id in (select id from place) or document.id in (select id from door))`,
  // guard: visible-by-index
  index: sql`(document.place_id = any(array(select id from place)) or document.id = any(array(select id from door)))`,
  place: sql`true`,
} satisfies Record<Reach, unknown>;

/** Of a `document`. */
export function passes(filters: Filters) {
  const { entityTypes, types, excludedTypes, mediaType, ownerId, updatedAfter } = filters;
  const conditions = [sql`document.entity_type = any(${[...entityTypes]}::text[])`];
  if (types?.length) conditions.push(isOfType(types));
  if (excludedTypes?.length) conditions.push(sql`not coalesce(${isOfType(excludedTypes)}, false)`);
  if (mediaType !== undefined) conditions.push(sql`document.media_type = ${mediaType}`);
  if (ownerId !== undefined) conditions.push(sql`document.owner_id = ${ownerId}`);
  if (updatedAfter !== undefined) conditions.push(sql`document.updated_at > ${updatedAfter}`);
  return sql.join(conditions, sql` and `);
}

/** `type:pdf`, `type:image`, `type:text/csv`, `type:folder`. */
function isOfType(types: readonly string[]) {
  const list = sql`${[...types]}::text[]`;
  return sql`(document.extension = any(${list}) or document.media_type = any(${list})
    or split_part(document.media_type, '/', 1) = any(${list}) or lower(document.entity_type) = any(${list}))`;
}
