import type { TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";
import { isFile, isFolder, type View, VisibleChildren } from "./visible-children.ts";

export interface Usage {
  /** From the measured folder down; empty for the folder itself. */
  names: string[];
  files: number;
  /** Without itself. */
  folders: number;
  size: number;
}

/**
 * Files and bytes in and below each folder down to a depth, by path, and in the end those of the measured folder. All
 * folders are visited for every page, and the files of each are added up where they are read.
 */
export async function measureFolders(
  { db, tenantId }: TenantTransaction,
  rootId: string,
  view: View,
  { depth, after, limit }: { depth: number; after?: readonly string[] | undefined; limit: number },
): Promise<Usage[]> {
  const children = new VisibleChildren(tenantId, view);
  const { rows } = await sql<Usage>`
    with recursive ${children.ledTo},
    visited as (
      select ${rootId}::uuid as folder, ${!view.passesThroughRoot}::boolean as is_readable, 0 as depth,
        array[]::text[] as names
      union all
      select child.id, child.is_readable, visited.depth + 1,
        case when visited.depth < ${depth} then visited.names || child.name else visited.names end
      from visited cross join lateral (${children.of(
        "visited",
        sql`node.id, node.name, ${children.isReadable} as is_readable`,
        isFolder,
      )}) as child),
    counted as (
      select visited.names, count(distinct visited.folder) as folders, sum(held.files) as files, sum(held.size) as size
      from visited cross join lateral (${children.of(
        "visited",
        sql`count(*) as files, coalesce(sum(node.size), 0) as size`,
        isFile,
      )}) as held
      group by visited.names),
    added_up as (
      select counted.names[:level] as names, sum(counted.files)::bigint as files, sum(counted.size)::bigint as size,
        sum(counted.folders)::bigint - 1 as folders
      from counted cross join lateral generate_series(0, cardinality(counted.names)) as level
      group by 1)
    select names, files, folders, size from added_up
    where ${after === undefined} or names = '{}' or names > ${[...(after ?? [])]}::text[]
    order by names = '{}', names limit ${limit}`.execute(db);
  return rows;
}
