import { parseAddress } from "@svc/command-router/arguments/address";
import { decodeId } from "@svc/protocol/typed-id";
import type { Visibility } from "@svc/search/visibility/visible-documents";
import type { CommandContext } from "../../../../platform/commands/command-context.ts";
import { findFolders } from "../../../files/files.ts";
import { visibleWorkspaces, type Workspace } from "../../../workspaces/workspaces.ts";

const mostWorkspaces = 1_000;

/**
 * The places of `in:`: a path in any visible workspace or, as `marketing:/reports`, in one; a workspace by slug or name;
 * or an id. Nothing if none exists. Access to the place itself is not checked: only visible documents below it are found.
 */
export async function findPlaces(
  context: CommandContext,
  { workspaceIds }: Visibility,
  named: readonly string[],
): Promise<string[]> {
  const places: string[] = [];
  const paths: string[] = [];
  const names: string[] = [];
  const addresses: { workspace: string; rest: string }[] = [];
  for (const name of named) {
    const id = decodeId(name, "workspace", "folder", "collection");
    const { workspace, rest } = parseAddress(name, "path");
    if (id !== undefined) places.push(id);
    else if (workspace !== undefined) addresses.push({ workspace, rest });
    else if (name.startsWith("/")) paths.push(name);
    else names.push(name);
  }
  if (paths.length > 0) places.push(...(await findFolders(context, workspaceIds, paths)));
  if (names.length === 0 && addresses.length === 0) return places;
  const workspaces = await visibleWorkspaces(context, { limit: mostWorkspaces });
  places.push(...names.flatMap((name) => idsOf(workspaces, name)));
  for (const { workspace, rest } of addresses) {
    const within = idsOf(workspaces, workspace).filter((id) => workspaceIds.includes(id));
    places.push(...(await findFolders(context, within, [rest])));
  }
  return places;
}

function idsOf(workspaces: readonly Workspace[], named: string): string[] {
  const [id, text] = [decodeId(named, "workspace"), named.toLowerCase()];
  const found = workspaces.filter(
    (each) => each.id === id || each.slug === text || each.name.toLowerCase() === text,
  );
  return found.map((workspace) => workspace.id);
}
