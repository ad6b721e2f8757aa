import { pointTo } from "@svc/protocol/next";
import { ProblemError } from "@svc/protocol/problem";
import { encodeId } from "@svc/protocol/typed-id";
import type { CommandContext } from "../../../platform/commands/command-context.ts";
import type { LeftBy } from "../../../platform/undo/left-by.ts";
import { isAtLeast, rightsIn } from "../../access/access.ts";
import { findWorkspaceOf, lockTree, type TreeLock } from "../../workspaces/workspaces.ts";
import { findNode, type Node } from "../files-store.ts";
import { nodeChanged } from "../node-events.ts";
import { relocate, spotIn } from "../tree/placing.ts";
import { changeNode, locateFolder, type Place } from "../tree/tree.ts";

/** A trashed node that the caller can see. */
export async function requireTrashed(
  context: CommandContext,
  id: string,
  lock: TreeLock,
): Promise<Pick<Place, "workspace" | "rights"> & { node: Node }> {
  const found = await findNode(context.transaction, id);
  if (found) await lockTree(context, found.workspaceId, lock);
  const node = await findNode(context.transaction, id);
  const workspace = node && node.trashedAt !== null ? await findWorkspaceOf(context, node) : undefined;
  if (node && workspace) {
    const rights = await rightsIn(context, workspace.id);
    // guard: trash-readable-only
    if (rights.roleIn(node.scopeId) !== undefined) return { workspace, rights, node };
  }
  throw new ProblemError("not_found", "This item is not in the trash, or you do not have access to it.", {
    ...pointTo({ command: "trash list" }, "to see what can be restored."),
  });
}

/** Restores into the old folder, or into another if that one is gone. */
export async function bringBack(
  context: CommandContext,
  { node, rights, workspace }: Awaited<ReturnType<typeof requireTrashed>>,
  { into, version, changeId }: { into?: string | undefined; version: number } & LeftBy,
): Promise<{ node: Node; path: string }> {
  // guard: restoring-needs-editor
  if (!isAtLeast(rights.roleIn(node.scopeId), "editor")) {
    throw new ProblemError("not_permitted", "Only an editor can restore this.");
  }
  const inWorkspace = { ...context, workspace: encodeId("workspace", workspace.id) };
  const oldFolder = node.parentId === workspace.id ? "/" : encodeId("folder", node.parentId);
  const folder = await locateFolder(inWorkspace, into ?? oldFolder).catch((error: unknown) => {
    if (into !== undefined || !(error instanceof ProblemError) || error.code !== "not_found") throw error;
    throw new ProblemError("not_found", "Its old folder no longer exists.", {
      hint: "Choose another folder with --into.",
    });
  });
  const spot = spotIn(folder, node.name);
  await relocate(context, node, spot, (set) =>
    changeNode(context, node, { ...set, trashedAt: null, version, changeId }),
  );
  context.recordChange({ action: "create", type: node.kind, name: spot.path });
  await nodeChanged(context, { kind: "RESTORED", node });
  return {
    node: { ...node, parentId: folder.node?.id ?? workspace.id, trashedAt: null, version },
    path: spot.path,
  };
}
