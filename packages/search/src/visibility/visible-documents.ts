import { type RawBuilder, sql } from "kysely";
import type { EntityType } from "../index/documents.ts";
import { placesBelow } from "../index/places-below.ts";
import { onShelves } from "../index/shelf.ts";
import { valuesOfType } from "../query/type-families.ts";

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
  updatedAfter?: Date;
  extensions?: readonly string[];
  excludedExtensions?: readonly string[];
  /** Of documents whose text the caller may read: of others only the name is visible. */
  ownerIds?: readonly string[];
  excludedOwnerIds?: readonly string[];
  /** Changed from this time on, and before that. */
  from?: Date;
  before?: Date;
  /** Tsqueries of names. */
  named?: string;
  notNamed?: string;
  /** Words of which the path has all, of one of these, or none of these. */
  onPaths?: readonly NamedPath[];
  notOnPaths?: readonly NamedPath[];
}

/** Words of a path: each in the name itself, or in that of a folder above it. */
export type NamedPath = readonly { name: string; folderIds: readonly string[] }[];

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
      and ${passes(tenantId, filters)}`;
}

const isVisible = {
  // guard: doors-are-visible
  row: sql`(document.place_id in (select id from place) or document.id in (select id from door))`,
  // guard: visible-by-index
  index: sql`(document.place_id = any(array(select id from place)) or document.id = any(array(select id from door)))`,
  place: sql`true`,
} satisfies Record<Reach, unknown>;

/** Whether a filter is given that needs the document itself, not only its place. */
export function hasDocumentFilters({
  entityTypes: _,
  within: __,
  notWithin: ___,
  ...filters
}: Filters): boolean {
  return Object.values(filters).some(
    (value) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
}

/** Of a `document`; requires `visiblePlaces`. */
export function passes(tenantId: string, filters: Filters) {
  const { entityTypes, types, excludedTypes, mediaType, updatedAfter } = filters;
  const conditions = [sql`document.entity_type = any(${[...entityTypes]}::text[])`];
  if (types?.length) conditions.push(isOfType(types));
  if (excludedTypes?.length) conditions.push(sql`not coalesce(${isOfType(excludedTypes)}, false)`);
  if (mediaType !== undefined) conditions.push(sql`document.media_type = ${mediaType}`);
  if (updatedAfter !== undefined) conditions.push(sql`document.updated_at > ${updatedAfter}`);
  return sql.join([...conditions, ...operatorConditions(tenantId, filters)], sql` and `);
}

function operatorConditions(tenantId: string, filters: Filters): RawBuilder<unknown>[] {
  const { extensions, excludedExtensions, ownerIds, excludedOwnerIds, from, before, named, notNamed } =
    filters;
  const { onPaths, notOnPaths } = filters;
  // guard: owners-of-readable
  const isReadable = sql`document.place_id in (select id from place)`;
  const not = (condition: RawBuilder<unknown>) => sql`${condition} is not true`;
  const isNamed = (query: string) => sql`document.name_tsv @@ ${query}::tsquery`;
  const hasExtension = (some: readonly string[]) => sql`document.extension = any(${[...some]}::text[])`;
  const isOwnedBy = (ids: readonly string[]) =>
    sql`(document.owner_id = any(${[...ids]}::uuid[]) and ${isReadable})`;
  return [
    ...(extensions ? [hasExtension(extensions)] : []),
    ...(excludedExtensions ? [not(hasExtension(excludedExtensions))] : []),
    ...(ownerIds ? [isOwnedBy(ownerIds)] : []),
    ...(excludedOwnerIds ? [not(isOwnedBy(excludedOwnerIds))] : []),
    ...(from ? [sql`document.updated_at >= ${from}`] : []),
    ...(before ? [sql`document.updated_at < ${before}`] : []),
    ...(named === undefined ? [] : [isNamed(named)]),
    ...(notNamed === undefined ? [] : [not(isNamed(notNamed))]),
    ...(onPaths ? [isOnPath(tenantId, onPaths)] : []),
    ...(notOnPaths ? [not(isOnPath(tenantId, notOnPaths))] : []),
  ];
}

function isOnPath(tenantId: string, paths: readonly NamedPath[]): RawBuilder<unknown> {
  const each = paths.map((words) =>
    sql.join(
      words.map(
        ({ name, folderIds }) =>
          sql`(document.name_tsv @@ ${name}::tsquery or document.place_id in (${placesBelow(tenantId, folderIds)}))`,
      ),
      sql` and `,
    ),
  );
  return sql`(${sql.join(
    each.map((all) => sql`(${all})`),
    sql` or `,
  )})`;
}

/** `type:pdf`, `type:spreadsheet`, `type:image`, `type:text/csv`, `type:folder`. */
function isOfType(types: readonly string[]) {
  const list = sql`${[...new Set(types.flatMap(valuesOfType))]}::text[]`;
  return sql`(document.extension = any(${list}) or document.media_type = any(${list})
    or split_part(document.media_type, '/', 1) = any(${list}) or lower(document.entity_type) = any(${list}))`;
}
