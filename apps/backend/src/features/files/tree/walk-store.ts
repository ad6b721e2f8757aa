import type { TenantTransaction } from "@svc/database/database";
import { type RawBuilder, sql } from "kysely";
import { isFolder, type View, VisibleChildren } from "./visible-children.ts";

/** Deeper folders are listed, but not entered. */
export const maxDepth = 100;

/** Where a walk goes on: in the last of these folders, after this name. */
export interface Position {
  folders: readonly string[];
  /** Of the folders below the first one. */
  names: readonly string[];
  after: string;
}

/** The names that lead to each `node` of a walk. */
export const namesBelow = sql<string[]>`(walk.found_in || node.name)`;

/**
 * Everything below a folder, in the order of paths, parents before children. Each row of `walk` is a run: the children
 * of one folder up to the next folder among them, which is entered next; after the last run of a folder it goes on in
 * the folder above. It ends as soon as the page is full: the first page of 100,000 files takes as long as that of a
 * hundred, and 150 times as long with a recursion that reads everything and sorts it. `offset 0` keeps PostgreSQL from
 * copying a subquery to each place that uses its result, where it would run again.
 */
export async function walkInPathOrder<Row>(
  { db, tenantId }: TenantTransaction,
  { folders, names, after }: Position,
  view: View,
  { columns, matches, limit }: { columns: RawBuilder<Row>; matches: RawBuilder<boolean>; limit: number },
): Promise<Row[]> {
  const children = new VisibleChildren(tenantId, view);
  const { rows } = await sql<Row>`
    with recursive ${children.ledTo},
    passed_through as materialized (
      select array(select node.id from led_to as node where not ${children.isReadable})
        || ${view.passesThroughRoot ? folders.slice(0, 1) : []}::uuid[] as ids),
    walk as (
      select 0 as step, place.folders, ${[...names]}::text[] as names, ${after}::text as after,
        place.folders[cardinality(place.folders)] as folder,
        place.folders[cardinality(place.folders)] <> all (passed_through.ids) as is_readable,
        array[]::text[] as found_in, array[]::uuid[] as found, 0 as total
      from passed_through cross join (select ${[...folders]}::uuid[] as folders) as place
      union all
      select walk.step + 1, place.folders, place.names, place.after,
        place.folders[cardinality(place.folders)],
        place.folders[cardinality(place.folders)] <> all ((select ids from passed_through)::uuid[]),
        walk.names, run.ids, walk.total + cardinality(run.ids)
      from walk
      left join lateral (${children.of(
        "walk",
        sql`node.id, node.name`,
        sql`${isFolder} and node.name > walk.after and cardinality(walk.names) < ${maxDepth - 1}
          order by node.kind <> 'folder', node.name limit 1`,
      )}) as next on true
      cross join lateral (
        select coalesce(next.name, (
          select node.name from app.node as node
          where node.tenant_id = ${tenantId} and node.parent_id = walk.folder and node.trashed_at is null
          order by node.name desc limit 1)) as name
        offset 0) as until
      cross join lateral (
        select array(${children.of(
          "walk",
          sql`node.id`,
          sql`node.name > walk.after and node.name <= until.name and ${matches}
            order by node.name limit ${limit} - walk.total`,
        )}) as ids
        offset 0) as run
      cross join lateral (
        select
          case when next.id is null then trim_array(walk.folders, 1) else walk.folders || next.id end as folders,
          case when next.id is null then walk.names[:cardinality(walk.names) - 1] else walk.names || next.name end
            as names,
          case when next.id is null then walk.names[cardinality(walk.names)] else '' end as after) as place
      where walk.folder is not null and walk.total < ${limit})
    select ${columns}
    from walk cross join lateral unnest(walk.found) with ordinality as hit (id, position)
    join app.node as node on node.tenant_id = ${tenantId} and node.id = hit.id
    order by walk.step, hit.position`.execute(db);
  return rows;
}
