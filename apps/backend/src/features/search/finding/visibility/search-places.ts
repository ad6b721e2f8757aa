import { decodeId } from "@svc/protocol/typed-id";
import type { Visibility } from "@svc/search/visibility/visible-documents";
import type { CommandContext } from "../../../../platform/commands/command-context.ts";
import { findFolders } from "../../../files/files.ts";
import { visibleWorkspaces } from "../../../workspaces/workspaces.ts";

const mostWorkspaces = 1_000;

/**
 * The places of `in:`: a path in any visible workspace, a workspace by slug or name, or an id. Nothing if none exists.
 * Access to the place itself is not checked: only visible documents below it are found.
 */
export async function findPlaces(
  context: CommandContext,
  { workspaceIds }: Visibility,
  named: readonly string[],
): Promise<string[]> {
  const places: string[] = [];
  const paths: string[] = [];
  const names = new Set<string>();
  for (const name of named) {
    const id = decodeId(name, "workspace", "folder", "collection");
    if (id !== undefined) places.push(id);
    else if (name.startsWith("/")) paths.push(name);
    else names.add(name.toLowerCase());
  }
  if (paths.length > 0) places.push(...(await findFolders(context, workspaceIds, paths)));
  if (names.size > 0) {
    const workspaces = await visibleWorkspaces(context, { limit: mostWorkspaces });
    const wanted = workspaces.filter(({ slug, name }) => names.has(slug) || names.has(name.toLowerCase()));
    places.push(...wanted.map(({ id }) => id));
  }
  return places;
}
