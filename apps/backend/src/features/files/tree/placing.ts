import { formatAddress, parseAddress } from "@svc/command-router/arguments/address";
import type { Change } from "@svc/protocol/exchange";
import { ProblemError } from "@svc/protocol/problem";
import { decodeId } from "@svc/protocol/typed-id";
import type { CommandContext } from "../../../platform/commands/command-context.ts";
import { findWorkspaceOf, type TreeLock } from "../../workspaces/workspaces.ts";
import { findNamed, findNode, type Node, walkUp } from "../files-store.ts";
import { insertFiles, insertFolders, type NewContent, type NewPlace } from "../new-nodes-store.ts";
import { nodeChanged } from "../node-events.ts";
import { formatPath, parsePath, requireName } from "./path.ts";
import { changeScope } from "./subtree-store.ts";
import {
  addressOf,
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
  const above = `${places[0].prefix}${formatPath(names.slice(0, -1))}`;
  const folder = await requireVisible(context, places[names.length - 1], above);
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

/**
 * Where an uploaded folder goes: `/b/` takes it under its own name, `/b` is the folder itself. So the same line puts the
 * same tree twice.
 */
export async function locateTree(
  context: CommandContext,
  target: string,
  name: string,
  lock?: TreeLock,
): Promise<Spot | Place> {
  return (await findOpenFolder(context, target, lock)) ?? locateTarget(context, target, name, lock);
}

/** A target that is a folder itself, whether it ends with a slash or not. */
export function asFolder(target: string): string {
  if (decodeId(target, "file", "folder") !== undefined) return target;
  const address = parseAddress(target, "path");
  return formatAddress({ ...address, rest: formatPath(parsePath(address.rest)) });
}

/** The same target, which may be the workspace root. */
export async function locateWhole(
  context: CommandContext,
  target: string,
  lock?: TreeLock,
): Promise<Spot | Place> {
  const folder = asFolder(target);
  if (parseAddress(folder, "path").rest !== "/") return locateTree(context, folder, "", lock);
  const root = await locate(context, folder, lock);
  requireRoleAt(root, "editor");
  return root;
}

/** An existing folder that is named without a slash at its end, and that the caller can change. */
async function findOpenFolder(
  context: CommandContext,
  target: string,
  lock?: TreeLock,
): Promise<Place | undefined> {
  const isId = decodeId(target, "file", "folder") !== undefined;
  const walked = isId ? undefined : await walkPath(context, target, lock);
  if (walked && (walked.names.length === 0 || target.endsWith("/"))) return undefined;
  const found = walked ? walked.places[walked.names.length] : await locate(context, target, lock);
  if (found?.node?.kind !== "folder" || !(await isVisible(context, found))) return undefined;
  requireRoleAt(found, "editor");
  return found;
}

/** The first missing folder on the way to a target, and the names of those below it. */
export async function findMissing(
  context: CommandContext,
  target: string,
  lock?: TreeLock,
): Promise<{ spot: Spot; below: string[] } | undefined> {
  if (decodeId(target, "file", "folder") !== undefined) return undefined;
  const { names, places } = await walkPath(context, target, lock);
  const folders = target.endsWith("/") ? names : names.slice(0, -1);
  const [first, ...below] = folders.slice(places.length - 1);
  if (first === undefined) return undefined;
  const last = places.at(-1) as Place;
  const spot = spotIn(requireFolder(await requireVisible(context, last, addressOf(last))), first);
  // With the last one, which may be that of a file.
  const rest = names.slice(places.length).map(requireName);
  return { spot, below: rest.slice(0, below.length) };
}

/** Creates the missing folders on the way to a target. Returns the topmost, which holds everything else. */
export async function makeMissing(
  context: CommandContext,
  target: string,
  lock: TreeLock = "grow",
): Promise<Node | undefined> {
  const missing = await findMissing(context, target, lock);
  if (!missing) return undefined;
  let { spot } = missing;
  const top = await makeFolder(context, spot);
  let node = top;
  for (const name of missing.below) {
    spot = spotIn({ ...spot.folder, node, path: spot.path }, name);
    node = await makeFolder(context, spot);
  }
  return top;
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
  if (!(await isVisible(context, place))) throw nameTaken(addressOf(place));
  // guard: replacing-needs-editor
  requireRoleAt(place, "editor");
  if (kind && node.kind !== kind)
    throw new ProblemError("conflict", `${addressOf(place)} is a ${node.kind}, not a ${kind}.`);
  return node;
}

async function findIn({ transaction }: CommandContext, spot: Spot): Promise<Node | null> {
  const [found] = await findNamed(transaction, [placeOf(spot)]);
  return found ?? null;
}

/** The same spots, with what exists there. */
export async function lookAt({ transaction }: CommandContext, spots: readonly Spot[]): Promise<Spot[]> {
  const found = await findNamed(transaction, spots.map(placeOf));
  const byPlace = new Map(found.map((node) => [keyOf(node), node]));
  return spots.map((spot) => ({ ...spot, existing: byPlace.get(keyOf(placeOf(spot))) ?? null }));
}

export function spotIn(folder: Place, newName: string): Spot {
  const name = requireName(newName);
  // guard: adding-needs-editor
  requireRoleAt(folder, "editor");
  return { folder, name, path: folder.path === "/" ? `/${name}` : `${folder.path}/${name}` };
}

/** With their first versions and their texts. The caller stores the contents. */
export async function addFiles(
  context: CommandContext,
  files: readonly { spot: Spot; content: NewContent }[],
): Promise<Node[]> {
  const added = await insertFiles(
    context.transaction,
    files.map(({ spot, content }) => ({ ...placeOf(spot), ...content })),
  );
  return announce(context, files, added);
}

export async function makeFolders(context: CommandContext, spots: readonly Spot[]): Promise<Node[]> {
  const made = await insertFolders(context.transaction, spots.map(placeOf));
  return announce(
    context,
    spots.map((spot) => ({ spot })),
    made,
  );
}

export async function makeFolder(context: CommandContext, spot: Spot): Promise<Node> {
  const [node] = await makeFolders(context, [spot]);
  return node as Node;
}

function placeOf({ folder, name }: Spot): NewPlace {
  return {
    workspaceId: folder.workspace.id,
    parentId: folder.node?.id ?? folder.workspace.id,
    name,
    scopeId: scopeOf(folder),
  };
}

function keyOf({ parentId, name }: Pick<Node, "parentId" | "name">): string {
  return `${parentId}/${name}`;
}

/** In the order of what was asked for. */
async function announce(
  context: CommandContext,
  wanted: readonly { spot: Spot; content?: NewContent }[],
  created: readonly Node[],
): Promise<Node[]> {
  const byPlace = new Map(created.map((node) => [keyOf(node), node]));
  const nodes: Node[] = [];
  for (const { spot, content } of wanted) {
    const node = byPlace.get(keyOf(placeOf(spot)));
    if (!node) throw nameTaken(`${spot.folder.prefix}${spot.path}`);
    const after = content && { size: content.size, sha256: content.sha256 };
    context.recordChange({
      action: "create",
      type: node.kind,
      name: spot.path,
      ...(after ? { after } : {}),
    });
    context.recordMade(node.kind, node.id, node.parentId);
    await nodeChanged(context, { kind: "CREATED", node });
    nodes.push(node);
  }
  return nodes;
}

function nameTaken(path: string): ProblemError {
  return new ProblemError("conflict", `${path} already exists.`, {
    hint: "Choose another name, or delete or rename the existing one.",
    next: { command: "files stat", arguments: { target: path } },
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
    const from = await findWorkspaceOf(context, node);
    const detail = `You cannot move files from \`${from?.slug}\` to another workspace, \`${folder.workspace.slug}\`.`;
    throw new ProblemError("conflict", detail, {
      hint: "Copy it with `svc files copy`, then delete the original.",
    });
  }
  if (folder.node && (await walkUp(context.transaction, folder.node.id)).some(({ id }) => id === node.id)) {
    throw new ProblemError("conflict", "A folder cannot be moved into itself.");
  }
  // The change names it only by its path, which another folder can get.
  // guard: moves-go-where-previewed
  context.bindPreview(parentId);
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
