import { ProblemError } from "@svc/protocol/problem";
import { decodeId } from "@svc/protocol/typed-id";
import type { CommandContext } from "../../../platform/commands/command-context.ts";
import { isAtLeast, rightsIn } from "../../access/access.ts";
import { currentWorkspace, lockTree } from "../../workspaces/workspaces.ts";
import type { Node } from "../files-store.ts";
import { nodeChanged } from "../node-events.ts";
import { nodeChange } from "../tree/placing.ts";
import { deleteNodes, listWholeSubtree } from "../tree/subtree-store.ts";
import { requireTrashed } from "./trash.ts";
import { listTrash } from "./trash-store.ts";

const atOnce = 1_000;

/** The trashed nodes that the caller can see in the current workspace. */
export async function trashedNodes(
  context: CommandContext,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<(Node & { trashedAt: Date })[]> {
  const workspace = await currentWorkspace(context);
  const rights = await rightsIn(context, workspace.id);
  const [at = "", id = ""] = cursor?.split(" ") ?? [];
  return listTrash(context.transaction, workspace.id, rights.readable, {
    limit,
    before: cursor === undefined ? undefined : { at, id },
  });
}

/** Deletes nodes permanently, with everything below them, their versions and texts. Contents lose their references. */
export async function purgeTrash(
  context: CommandContext,
  targets: readonly string[],
): Promise<{ purged: number; files: number }> {
  const nodes = targets.length === 0 ? await purgeable(context) : await named(context, targets);
  let files = 0;
  for (const node of nodes) {
    const subtree = await listWholeSubtree(context.transaction, node.id);
    await requireOwnerOfAll(context, node, subtree);
    const ids = subtree.map(({ id }) => id);
    const digests = await deleteNodes(context.transaction, ids);
    await context.blobs.release(digests);
    const own = subtree.filter(({ kind }) => kind === "file");
    files += own.length;
    // Whoever approves it approves this content, not whatever is in the folder later.
    context.bindPreview(subtree.map(({ id, contentVersion }) => [id, contentVersion]));
    const bytes = own.reduce((sum, { size }) => sum + Number(size ?? 0), 0);
    const before = { files: own.length, folders: subtree.length - own.length - 1, bytes };
    context.recordChange(nodeChange("delete", node, node.name, node.kind === "folder" ? { before } : {}));
    await nodeChanged(context, { kind: "PURGED", node });
  }
  return { purged: nodes.length, files };
}

/** Deleting a folder can be undone; purging cannot. So the caller must own everything in it. */
async function requireOwnerOfAll(
  context: CommandContext,
  { name, workspaceId }: Node,
  subtree: readonly Pick<Node, "scopeId">[],
): Promise<void> {
  const rights = await rightsIn(context, workspaceId);
  if (subtree.every(({ scopeId }) => isAtLeast(rights.roleIn(scopeId), "owner"))) return;
  throw new ProblemError("not_permitted", `You are not an owner of everything in \`${name}\`.`, {
    hint: "Ask an owner of the workspace to purge it.",
  });
}

async function purgeable(context: CommandContext): Promise<Node[]> {
  const workspace = await currentWorkspace(context);
  await lockTree(context, workspace.id, "reshape");
  const rights = await rightsIn(context, workspace.id);
  const nodes = await listTrash(context.transaction, workspace.id, rights.readable, { limit: atOnce });
  return nodes.filter((node) => isAtLeast(rights.roleIn(node.scopeId), "owner"));
}

async function named(context: CommandContext, targets: readonly string[]): Promise<Node[]> {
  const nodes: Node[] = [];
  for (const target of new Set(targets)) {
    const id = decodeId(target, "file", "folder");
    if (id === undefined)
      throw new ProblemError("not_found", `\`${target}\` is not the id of a file or folder.`);
    const { node, rights } = await requireTrashed(context, id, "reshape");
    if (!isAtLeast(rights.roleIn(node.scopeId), "owner")) {
      throw new ProblemError(
        "not_permitted",
        `Only an owner of \`${node.name}\` can delete it permanently.`,
        {
          hint: "It stays in the trash. To restore it, run `svc files restore <id>`.",
        },
      );
    }
    nodes.push(node);
  }
  return nodes;
}
