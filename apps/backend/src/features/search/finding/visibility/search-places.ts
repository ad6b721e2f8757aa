import { parseAddress } from "@svc/command-router/arguments/address";
import { decodeId } from "@svc/protocol/typed-id";
import { findVisiblePlaces, narrowPlaces } from "@svc/search/visibility/narrow-places";
import type { Visibility } from "@svc/search/visibility/visible-documents";
import type { CommandContext } from "../../../../platform/commands/command-context.ts";
import { findFolders } from "../../../files/files.ts";
import { visibleWorkspaces, type Workspace } from "../../../workspaces/workspaces.ts";

const mostWorkspaces = 1_000;

interface FoundPlaces {
  /** Narrowed by each other, see `narrowPlaces`. */
  places: string[];
  /** Each on its own. */
  all: string[];
  /** Values that name no visible place. */
  missing: string[];
}

/**
 * The places of `in:`: a path in any visible workspace or, as `marketing:/reports`, in one; a workspace by slug or name;
 * or an id. Only visible ones: to others the answer is that of places that do not exist.
 */
export async function findPlaces(
  context: CommandContext,
  visibility: Visibility,
  named: readonly string[],
): Promise<FoundPlaces> {
  if (named.length === 0) return { places: [], all: [], missing: [] };
  const found = await lookUp(context, visibility, [...new Set(named)]);
  const above = await findVisiblePlaces(context.transaction, visibility, [...found.values()].flat());
  const values = named.map((name) => new Set(found.get(name)?.filter((id) => above.has(id))));
  const there = values.filter(({ size }) => size > 0);
  return {
    places: narrowPlaces(there, above),
    all: [...new Set(there.flatMap((value) => [...value]))],
    missing: named.filter((_, index) => values[index]?.size === 0),
  };
}

/** By value, places that may be hidden. */
async function lookUp(
  context: CommandContext,
  { workspaceIds }: Visibility,
  named: readonly string[],
): Promise<ReadonlyMap<string, string[]>> {
  const found = new Map<string, string[]>();
  const paths = named.filter((name) => name.startsWith("/"));
  for (const { id, path } of paths.length > 0 ? await findFolders(context, workspaceIds, paths) : [])
    found.set(path, [...(found.get(path) ?? []), id]);
  const others = named.filter((name) => !name.startsWith("/"));
  const ids = others.filter((name) => decodeId(name, "workspace", "folder", "collection") !== undefined);
  for (const name of ids) found.set(name, [decodeId(name, "workspace", "folder", "collection") ?? name]);
  const names = others.filter((name) => !found.has(name));
  if (names.length === 0) return found;
  const workspaces = await visibleWorkspaces(context, { limit: mostWorkspaces });
  for (const name of names) {
    const { workspace, rest } = parseAddress(name, "path");
    const within = idsOf(workspaces, workspace ?? name).filter((id) => workspaceIds.includes(id));
    const folders = workspace === undefined ? undefined : await findFolders(context, within, [rest]);
    found.set(name, folders ? folders.map(({ id }) => id) : within);
  }
  return found;
}

function idsOf(workspaces: readonly Workspace[], named: string): string[] {
  const [id, text] = [decodeId(named, "workspace"), named.toLowerCase()];
  const found = workspaces.filter(
    (each) => each.id === id || each.slug === text || each.name.toLowerCase() === text,
  );
  return found.map((workspace) => workspace.id);
}
