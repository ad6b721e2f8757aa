import type { CommandContext } from "../../../platform/commands/command-context.ts";
import { walkUpFromAll } from "../files-store.ts";
import { formatPath } from "./path.ts";
import { leadingFolders, type Place } from "./tree.ts";

/** The paths that these folders of a workspace have now, by id; nothing for folders that the caller cannot see. */
export async function visibleFolders(
  context: CommandContext,
  { workspace, rights }: Pick<Place, "workspace" | "rights">,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const above = new Map((await walkUpFromAll(context.transaction, ids)).map((node) => [node.id, node]));
  const leading = await leadingFolders(context, rights);
  const pathOf = (id: string): string[] | undefined => {
    if (id === workspace.id) return [];
    const folder = above.get(id);
    const parents = folder?.trashedAt === null ? pathOf(folder.parentId) : undefined;
    return folder && parents && [...parents, folder.name];
  };
  const paths = new Map<string, string>();
  for (const id of ids) {
    const folder = above.get(id);
    // guard: history-shows-visible-folders
    const isVisible = id === workspace.id || (folder && (rights.roleIn(folder.scopeId) || leading.has(id)));
    const names = isVisible ? pathOf(id) : undefined;
    if (names) paths.set(id, formatPath(names));
  }
  return paths;
}
