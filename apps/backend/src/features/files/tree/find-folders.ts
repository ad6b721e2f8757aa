import { sql } from "kysely";
import type { CommandContext } from "../../../platform/commands/command-context.ts";
import { isPath, parsePath } from "./path.ts";

/**
 * The places of paths in any of these workspaces: the ids of folders, or the id of the workspace for its root, each with
 * its path as given. None if no such folder exists or if the text is not a path. Does not check access.
 */
export async function findFolders(
  { transaction: { db, tenantId } }: CommandContext,
  workspaceIds: readonly string[],
  paths: readonly string[],
): Promise<{ id: string; path: string }[]> {
  const named = paths.filter(isPath).map((path) => ({ typed: path, names: parsePath(path) }));
  const { rows } = await sql<{ id: string; path: string }>`
    with recursive path as (
      select typed, names, json_array_length(names) as depth
      from json_to_recordset(${JSON.stringify(named)}::json)
        as path (typed text, names json)),
    walk as (
      select path.typed, path.names, path.depth, 0 as at, workspace.id
      from path cross join unnest(${[...workspaceIds]}::uuid[]) as workspace (id)
      union all
      select walk.typed, walk.names, walk.depth, walk.at + 1, node.id
      from walk join app.node as node
        on node.tenant_id = ${tenantId} and node.parent_id = walk.id and node.trashed_at is null
       and node.kind = 'folder' and node.name = walk.names ->> walk.at
      where walk.at < walk.depth)
    select distinct id, typed as path from walk where at = depth`.execute(db);
  return rows;
}
