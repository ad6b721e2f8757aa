import { ProblemError } from "@svc/protocol/problem";
import type { CommandContext } from "../../../platform/commands/command-context.ts";
import type { Node } from "../files-store.ts";
import { listSubtree } from "./subtree-store.ts";
import { leadingFolders, type Place } from "./tree.ts";

const maxDepth = 100;

/** Everything below a folder that the caller can see, parents first. Refuses a folder with more than `maxNodes`. */
export async function listVisibleBelow(
  context: CommandContext,
  { node, rights, path }: Place & { node: Node },
  maxNodes: number,
): Promise<Awaited<ReturnType<typeof listSubtree>>> {
  if (node.kind === "file") return [];
  const below = await listSubtree(
    context.transaction,
    node.id,
    // guard: copying-readable-only
    { readable: rights.readable, leading: await leadingFolders(context, rights) },
    { depth: maxDepth, limit: maxNodes + 1 },
  );
  if (below.length <= maxNodes) return below;
  throw new ProblemError("too_large", `${path} contains more than ${maxNodes} files and folders.`, {
    hint: "Run the command for each subfolder.",
  });
}
