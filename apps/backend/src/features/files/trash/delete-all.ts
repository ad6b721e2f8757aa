import type { CommandContext } from "../../../platform/commands/command-context.ts";
import { type Node, trashNodes } from "../files-store.ts";
import { nodeChanged } from "../node-events.ts";
import { nodeChange } from "../tree/placing.ts";
import { changedBySomebody, type Place, requireRoleAt } from "../tree/tree.ts";
import { changeUndo, type NodeUndo } from "../undo-node.ts";
import type { Contents } from "./contents.ts";

/** In one statement. */
const most = 1_000;

/**
 * Moves nodes to the trash, each with everything below it, visible to the caller or not: unlike a purge, it can be
 * undone.
 */
export async function deleteAll(
  context: CommandContext,
  places: readonly (Place & { node: Node; contents?: Contents | undefined })[],
): Promise<NodeUndo[]> {
  for (const place of places) requireDeletable(place);
  const undo: NodeUndo[] = [];
  for (let start = 0; start < places.length; start += most) {
    const some = places.slice(start, start + most);
    const nodes = some.map(({ node }) => node);
    const trashed = new Set(await trashNodes(context.transaction, nodes, context.now));
    for (const { node, path, contents } of some) {
      if (!trashed.has(node.id)) throw changedBySomebody(node.name);
      context.recordChange(nodeChange("delete", node, path, contents ? { before: contents } : {}));
      await nodeChanged(context, { kind: "TRASHED", node });
      undo.push(changeUndo(node, { ...node, trashedAt: context.now, version: node.version + 1 }));
    }
  }
  return undo;
}

export function requireDeletable(place: Place): void {
  // guard: deleting-needs-editor
  requireRoleAt(place, "editor");
}
