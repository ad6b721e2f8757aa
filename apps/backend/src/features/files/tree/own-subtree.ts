import type { UndoneOperation } from "@svc/command-router/command";
import type { CommandContext } from "../../../platform/commands/command-context.ts";
import { ownWork, takesWorkOfOthers } from "../../../platform/undo/work-of-others.ts";
import type { Node } from "../files-store.ts";
import { nodeChange } from "./placing.ts";
import { lockSubtree, type SubtreeNode } from "./subtree-store.ts";
import type { Place } from "./tree.ts";

type Root = Pick<Place, "rights" | "path"> & { node: Node };

/**
 * For undo: checks that nobody else has added or changed anything at or below the node since, visible to the caller or
 * not.
 */
export async function requireOwnSubtree(
  context: CommandContext,
  { node, path }: Root,
  operation: UndoneOperation,
): Promise<SubtreeNode[]> {
  const subtree = await lockSubtree(context.transaction, node.id, ownWork(context, operation));
  // guard: files-of-others-stay
  if (subtree.some(({ isOfOthers }) => isOfOthers)) throw takesWorkOfOthers(path);
  return subtree;
}

const listedAtMost = 100;

/** One change for each node that goes to the trash, parents first; if there are many, the first ones and the total. */
export function recordGoing(
  context: CommandContext,
  { node, path, rights }: Root,
  subtree: readonly SubtreeNode[],
): void {
  const below = subtree.filter(({ id }) => id !== node.id);
  const files = below.filter(({ kind }) => kind === "file").length;
  const counts = { files, folders: below.length - files };
  context.recordChange(nodeChange("delete", node, path, below.length === 0 ? {} : { before: counts }));
  const visible = below.filter(({ scopeId }) => rights.roleIn(scopeId) !== undefined);
  for (const { names, ...gone } of visible.slice(0, listedAtMost)) {
    context.recordChange(nodeChange("delete", gone, `${path}/${names.join("/")}`));
  }
}
