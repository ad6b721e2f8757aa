import type { Change } from "@svc/protocol/exchange";
import { ProblemError } from "@svc/protocol/problem";
import { decodeId } from "@svc/protocol/typed-id";
import type { CommandContext } from "../../../platform/commands/command-context.ts";
import type { TreeLock } from "../../workspaces/workspaces.ts";
import { findNode, insertFile, insertFolder, type Node, walkDown, walkUp } from "../files-store.ts";
import { nodeChanged } from "../node-events.ts";
import type { StoredText } from "../text-store.ts";
import { formatPath, requireName } from "./path.ts";
import { changeScope } from "./subtree-store.ts";
import {
  isVisible,
  locate,
  nodeId,
  type Place,
  requireFolder,
  requireRoleAt,
  requireVisible,
  scopeOf,
  walkPath,
} from "./tree.ts";

/** The place of a new node: an existing folder, and a name in it. */
export interface Spot {
  folder: Place;
  name: string;
  path: string;
  /** What exists there; undefined if nobody has looked. */
  existing?: Node | null;
}

/** A path whose last part is the new name. */
export async function locateNew(context: CommandContext, target: string, lock?: TreeLock): Promise<Spot> {
  return newSpot(context, await walkPath(context, target, lock));
}

async function newSpot(
  context: CommandContext,
  { names, places }: Awaited<ReturnType<typeof walkPath>>,
): Promise<Spot> {
  const name = names.at(-1);
  if (name === undefined) throw new ProblemError("conflict", "The workspace root already exists.");
  const folder = await requireVisible(context, places[names.length - 1], formatPath(names.slice(0, -1)));
  return { ...spotIn(requireFolder(folder), name), existing: places[names.length]?.node ?? null };
}

/** `move a /b/`: into the folder b under its old name if b exists; otherwise under the new name b. */
export async function locateTarget(
  context: CommandContext,
  target: string,
  oldName: string,
  lock?: TreeLock,
): Promise<Spot> {
  if (decodeId(target, "file", "folder") !== undefined) {
    return spotIn(requireFolder(await locate(context, target, lock)), oldName);
  }
  const walked = await walkPath(context, target, lock);
  const found = walked.places[walked.names.length];
  const seen = found && (await isVisible(context, found)) ? found : undefined;
  if (seen?.node?.kind !== "file" && (seen || target.endsWith("/"))) {
    return spotIn(await requireVisible(context, seen, target), oldName);
  }
  return newSpot(context, walked);
}

/** The same for `put`: an existing file gets a new version. */
export async function locatePut(
  context: CommandContext,
  target: string,
  name: string,
): Promise<Spot & { existing: Node | null }> {
  const spot = await locateTarget(context, target, name, "grow");
  return { ...spot, existing: await findReplaceable(context, spot, "file") };
}

/** For `put`, before the upload: it is not known yet whether this is a file or a folder. */
export async function requirePutTarget(context: CommandContext, target: string, name: string): Promise<void> {
  await findReplaceable(context, await locateTarget(context, target, name));
}

/**
 * What a put would replace; null if nothing exists there. Every put checks this first, so that the answer reveals
 * nothing about a hidden node except that its name is taken.
 */
export async function findReplaceable(
  context: CommandContext,
  spot: Spot,
  kind?: Node["kind"],
): Promise<Node | null> {
  const { folder, path, existing } = spot;
  const node = existing === undefined ? await findIn(context, spot) : existing;
  if (!node) return null;
  const place = { ...folder, node, path };
  // guard: hidden-names-are-taken
  if (!(await isVisible(context, place))) throw nameTaken(path);
  // guard: replacing-needs-editor
  requireRoleAt(place, "editor");
  if (kind && node.kind !== kind)
    throw new ProblemError("conflict", `${path} is a ${node.kind}, not a ${kind}.`);
  return node;
}

async function findIn({ transaction }: CommandContext, { folder, name }: Spot): Promise<Node | null> {
  const [found] = await walkDown(transaction, folder.node?.id ?? folder.workspace.id, [name]);
  return found ?? null;
}

export function spotIn(folder: Place, newName: string): Spot {
  const name = requireName(newName);
  // guard: adding-needs-editor
  requireRoleAt(folder, "editor");
  return { folder, name, path: folder.path === "/" ? `/${name}` : `${folder.path}/${name}` };
}

export interface NewFile {
  size: number;
  mediaType: string;
  sha256: string;
  text: StoredText;
}

/** With its first version and its text. The caller stores the content. */
export async function addFile(context: CommandContext, spot: Spot, file: NewFile): Promise<Node> {
  const node = await insertFile(context.transaction, { ...placeOf(spot), ...file });
  return announce(context, spot, node, { size: file.size, sha256: file.sha256 });
}

export async function makeFolder(context: CommandContext, spot: Spot): Promise<Node> {
  return announce(context, spot, await insertFolder(context.transaction, placeOf(spot)));
}

function placeOf({ folder, name }: Spot) {
  return {
    workspaceId: folder.workspace.id,
    parentId: folder.node?.id ?? folder.workspace.id,
    name,
    scopeId: scopeOf(folder),
  };
}

async function announce(
  context: CommandContext,
  { path }: Spot,
  node: Node | undefined,
  after?: Record<string, unknown>,
): Promise<Node> {
  if (!node) throw nameTaken(path);
  context.recordChange({ action: "create", type: node.kind, name: path, ...(after ? { after } : {}) });
  await nodeChanged(context, { kind: "CREATED", node });
  return node;
}

function nameTaken(path: string): ProblemError {
  return new ProblemError("conflict", `${path} already exists.`, {
    hint: "Choose another name, or delete or rename the existing one.",
  });
}

/** Moves a node. Everything that followed the access list of its old folder now follows that of the new one. */
export async function relocate(
  context: CommandContext,
  node: Node,
  { folder, name }: Pick<Spot, "folder" | "name">,
  change: (set: { parentId: string; name: string }) => Promise<void>,
): Promise<void> {
  const parentId = folder.node?.id ?? folder.workspace.id;
  if (node.workspaceId !== folder.workspace.id) {
    throw new ProblemError("conflict", "You cannot move files to another workspace.", {
      hint: "Copy it with `svc files copy`, then delete the original.",
    });
  }
  if (folder.node && (await walkUp(context.transaction, folder.node.id)).some(({ id }) => id === node.id)) {
    throw new ProblemError("conflict", "A folder cannot be moved into itself.");
  }
  await change({ parentId, name });
  const [from, to] = [await scopeAbove(context, node), scopeOf(folder)];
  // guard: moved-nodes-change-lists
  if (from !== to) await changeScope(context.transaction, node.id, from, to);
}

/** The scope of the node's folder. */
export async function scopeAbove(
  { transaction }: CommandContext,
  { parentId, workspaceId }: Pick<Node, "parentId" | "workspaceId">,
): Promise<string> {
  if (parentId === workspaceId) return workspaceId;
  return (await findNode(transaction, parentId))?.scopeId ?? workspaceId;
}

export function nodeChange(
  action: Change["action"],
  node: Pick<Node, "id" | "kind" | "version">,
  path: string,
  more: Pick<Change, "before" | "after"> = {},
): Change {
  return { action, type: node.kind, id: nodeId(node), name: path, version: node.version, ...more };
}
