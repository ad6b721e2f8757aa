import { sql } from "kysely";
import type { CommandContext } from "../../../platform/commands/command-context.ts";
import { isPath, parsePath } from "./path.ts";

/**
 * The places of paths in any of these workspaces: the ids of folders, or the id of the workspace for its root. None if
 * no such folder exists or if the text is not a path. Does not check access.
 */
export async function findFolders(
  { transaction: { db, tenantId } }: CommandContext,
  workspaceIds: readonly string[],
  paths: readonly string[],
): Promise<string[]> {
  const names = paths.filter(isPath).map(parsePath);
  const { rows } = await sql<{ id: string }>`
    with recursive path as (
      select names, json_array_length(names) as depth from json_array_elements(${JSON.stringify(names)}::json) as names),
    walk as (
      select path.names, path.depth, 0 as at, workspace.id
      from path cross join unnest(${[...workspaceIds]}::uuid[]) as workspace (id)
      union all
      select walk.names, walk.depth, walk.at + 1, node.id
      from walk join app.node as node
        on node.tenant_id = ${tenantId} and node.parent_id = walk.id and node.trashed_at is null
       and node.kind = 'folder' and node.name = walk.names ->> walk.at
      where walk.at < walk.depth)
    select distinct id from walk where at = depth`.execute(db);
  return rows.map(({ id }) => id);
}
