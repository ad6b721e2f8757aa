import type { UndoneOperation } from "@svc/command-router/command";
import { ProblemError } from "@svc/protocol/problem";
import { encodeId } from "@svc/protocol/typed-id";
import { z } from "zod";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { changeIdOfState, leftBy } from "../../platform/undo/left-by.ts";
import { lockTree } from "../workspaces/workspaces.ts";
import { findNode, type Node } from "./files-store.ts";
import { nodeChanged } from "./node-events.ts";
import { bringBack, requireTrashed } from "./trash/trash.ts";
import { recordGoing, requireOwnSubtree } from "./tree/own-subtree.ts";
import { nodeChange, relocate, scopeAbove, spotIn } from "./tree/placing.ts";
import { changeScope } from "./tree/subtree-store.ts";
import { changeNode, locate, locateFolder, nodeId, type Place, requireRoleAt } from "./tree/tree.ts";
import { findVersion, setVersionUndone } from "./versions-store.ts";

/** Everything that commands change on a node. */
const NodeState = z.object({
  ...changeIdOfState,
  version: z.int(),
  parentId: z.string(),
  name: z.string(),
  isTrashed: z.boolean(),
  contentVersion: z.int(),
  /** Only if the command changed it. */
  updatedAt: z.iso.datetime().optional(),
});
type NodeState = z.output<typeof NodeState>;

/**
 * The node as the operation left it, and as it was before. Undo swaps the two, so that an undo can be undone in the
 * same way.
 */
export const NodeUndo = z.object({ id: z.string(), left: NodeState, before: NodeState });
export type NodeUndo = z.output<typeof NodeUndo>;

export function changeUndo(before: Node, after: Node): NodeUndo {
  return { id: after.id, left: stateOf(after), before: { ...stateOf(before), changeId: before.changeId } };
}

/** For a change that only touches the time of change. */
export function timeUndo(before: Node, after: Node): NodeUndo {
  const { id, left, before: earlier } = changeUndo(before, after);
  const time = ({ updatedAt }: Node) => ({ updatedAt: updatedAt.toISOString() });
  return { id, left: { ...left, ...time(after) }, before: { ...earlier, ...time(before) } };
}

/** A created node goes to the trash; it is not destroyed. */
export function creationUndo(node: Node): NodeUndo {
  const left = stateOf(node);
  return { id: node.id, left, before: { ...left, version: left.version + 1, isTrashed: true } };
}

function stateOf({ version, parentId, name, trashedAt, contentVersion }: Node): NodeState {
  return { version, parentId, name, isTrashed: trashedAt !== null, contentVersion };
}

/**
 * Restores the version number too, so that operations can be undone one after the other in reverse, each finding the
 * state it left.
 */
export async function undoNode(
  context: CommandContext,
  { id, left, before }: NodeUndo,
  operation: UndoneOperation,
): Promise<NodeUndo> {
  const changeId = leftBy(left, operation);
  const place = await requireAsLeft(context, id, { ...left, changeId });
  if (before.isTrashed) await moveToTrash(context, place, before, operation);
  else if (left.isTrashed) await takeFromTrash(context, place, before);
  else if (left.parentId !== before.parentId || left.name !== before.name) {
    await moveBack(context, place, before, operation);
  } else if (left.contentVersion !== before.contentVersion) await changeContent(context, place, before);
  else await changeTime(context, place, before);
  return { id, left: before, before: { ...left, changeId } };
}

type NodePlace = Pick<Place, "workspace" | "rights"> & { node: Node; path: string };

/** The node must still be as the operation left it, and the caller must be an editor. */
async function requireAsLeft(context: CommandContext, id: string, left: NodeState): Promise<NodePlace> {
  const found = await findNode(context.transaction, id);
  if (found) await lockTree(context, found.workspaceId, "reshape");
  const node = await findNode(context.transaction, id);
  // guard: node-as-left
  if (node?.changeId !== left.changeId || node?.version !== left.version) {
    throw new ProblemError(
      "conflict",
      "It was changed after this operation, so the operation can no longer be undone.",
    );
  }
  if (left.isTrashed) return { ...(await requireTrashed(context, id, "reshape")), path: node.name };
  const place = await locate(context, nodeId(node));
  requireRoleAt(place, "editor");
  return { ...place, node };
}

async function moveToTrash(
  context: CommandContext,
  place: NodePlace,
  { parentId, version, changeId }: NodeState,
  operation: UndoneOperation,
): Promise<void> {
  const { node } = place;
  recordGoing(context, place, await requireOwnSubtree(context, place, operation));
  await changeNode(context, node, { parentId, trashedAt: context.now, version, changeId });
  const [from, to] = [await scopeAbove(context, node), await scopeAbove(context, { ...node, parentId })];
  if (from !== to) await changeScope(context.transaction, node.id, from, to);
  await nodeChanged(context, { kind: "TRASHED", node: { ...node, version } });
}

async function takeFromTrash(
  context: CommandContext,
  place: NodePlace,
  { parentId, version, changeId }: NodeState,
): Promise<void> {
  const { node, workspace } = place;
  const into = parentId === workspace.id ? "/" : encodeId("folder", parentId);
  await bringBack(context, place, { into: parentId === node.parentId ? undefined : into, version, changeId });
}

async function moveBack(
  context: CommandContext,
  place: NodePlace,
  { parentId, name, version, changeId }: NodeState,
  operation: UndoneOperation,
): Promise<void> {
  const { node, path } = place;
  const moved = { ...node, name, parentId, version };
  let newPath = `${path.slice(0, path.lastIndexOf("/"))}/${name}`;
  if (parentId === node.parentId) await changeNode(context, node, { name, version, changeId });
  else newPath = await relocateBack(context, place, { ...moved, changeId }, operation);
  const change = { before: { path }, after: { path: newPath } };
  context.recordChange(nodeChange("update", node, path, change));
  await nodeChanged(context, { kind: "MOVED", node: moved });
}

async function relocateBack(
  context: CommandContext,
  place: NodePlace,
  moved: Omit<Node, "changeId"> & Pick<NodeState, "changeId">,
  operation: UndoneOperation,
): Promise<string> {
  const { node, workspace } = place;
  const { parentId, name, version, changeId } = moved;
  const inWorkspace = { ...context, workspace: encodeId("workspace", workspace.id) };
  const target = parentId === workspace.id ? "/" : encodeId("folder", parentId);
  const spot = spotIn(await locateFolder(inWorkspace, target), name);
  // Under another access list, people might lose sight of their own files, or everybody might see them.
  if ((await scopeAbove(context, node)) !== (await scopeAbove(context, moved))) {
    await requireOwnSubtree(context, place, operation);
  }
  await relocate(context, node, spot, (set) => changeNode(context, node, { ...set, version, changeId }));
  return spot.path;
}

async function changeContent(
  context: CommandContext,
  { node, path }: NodePlace,
  { contentVersion, version, changeId }: NodeState,
): Promise<void> {
  const { transaction } = context;
  const content = await findVersion(transaction, node.id, contentVersion, "undone too");
  if (!content) throw new Error("a version that an operation replaced is missing");
  const { size, mediaType, sha256 } = content;
  await changeNode(context, node, { size, mediaType, sha256, contentVersion, version, changeId });
  const isBack = contentVersion < node.contentVersion;
  if (isBack) await setVersionUndone(transaction, node.id, node.contentVersion, context.now);
  else await setVersionUndone(transaction, node.id, contentVersion, null);
  context.recordChange(
    nodeChange("update", node, path, { before: { sha256: node.sha256 }, after: { sha256 } }),
  );
  await nodeChanged(context, { kind: "CONTENT_CHANGED", node: { ...node, contentVersion } });
}

async function changeTime(
  context: CommandContext,
  { node, path }: NodePlace,
  { updatedAt, version, changeId }: NodeState,
): Promise<void> {
  await changeNode(context, node, {
    version,
    changeId,
    ...(updatedAt === undefined ? {} : { updatedAt: new Date(updatedAt) }),
  });
  context.recordChange(nodeChange("update", node, path));
}
