import type { UndoneOperation } from "@svc/command-router/command";
import type { CommandContext } from "../../../platform/commands/command-context.ts";
import { ownWork, takesWorkOfOthers } from "../../../platform/undo/work-of-others.ts";
import type { Node } from "../files-store.ts";
import { nodeChange } from "./placing.ts";
import { type LockedSubtree, lockSubtree } from "./subtree-store.ts";
import type { Place } from "./tree.ts";

const listedAtMost = 100;

type Root = Pick<Place, "rights" | "path"> & { node: Node };

/**
 * For undo: checks that nobody else has added or changed anything at or below the node since, visible to the caller or
 * not.
 */
export async function requireOwnSubtree(
  context: CommandContext,
  { node, path, rights }: Root,
  operation: UndoneOperation,
): Promise<LockedSubtree> {
  const listed = { readable: rights.readable, most: listedAtMost };
  const subtree = await lockSubtree(context.transaction, node.id, ownWork(context, operation), listed);
  // guard: files-of-others-stay
  if (subtree.isOfOthers) throw takesWorkOfOthers(path);
  return subtree;
}

/** One change for each node that goes to the trash, parents first; if there are many, the first ones and the total. */
export function recordGoing(
  context: CommandContext,
  { node, path }: Root,
  { files, folders, first }: LockedSubtree,
): void {
  const before = { files, folders };
  context.recordChange(nodeChange("delete", node, path, files + folders === 0 ? {} : { before }));
  for (const { names, ...gone } of first) {
    context.recordChange(nodeChange("delete", gone, `${path}/${names.join("/")}`));
  }
}
