import { parseAddress, remotePath } from "@svc/command-router/arguments/address";
import { pointTo } from "@svc/protocol/next";
import { ProblemError } from "@svc/protocol/problem";
import { decodeId, encodeId } from "@svc/protocol/typed-id";
import { z } from "zod";
import type { CommandContext } from "../../../platform/commands/command-context.ts";
import { isAtLeast, type Rights, type Role, rightsIn, withArticle } from "../../access/access.ts";
import {
  findWorkspaceOf,
  lockTree,
  prefixOf,
  type TreeLock,
  type Workspace,
  workspaceAt,
} from "../../workspaces/workspaces.ts";
import { findNode, foldersLeadingTo, type Node, updateNode, walkDown, walkUp } from "../files-store.ts";
import { nodeChanged } from "../node-events.ts";
import { formatPath, parsePath } from "./path.ts";
import { changeScope } from "./subtree-store.ts";

export const FilePath = remotePath();

/** A place in the tree: the workspace root if there is no node. */
export interface Place {
  workspace: Workspace;
  rights: Rights;
  node: Node | undefined;
  path: string;
  /** Belongs before the path for people: `marketing:`, or nothing in the call's workspace. */
  prefix: string;
}

/** A path that works when pasted. */
export function addressOf({ prefix, path }: Pick<Place, "prefix" | "path">): string {
  return `${prefix}${path}`;
}

export const NodeView = z.object({
  id: z.string(),
  kind: z.enum(["folder", "file"]),
  name: z.string(),
  path: z.string(),
  size: z.int().optional(),
  mediaType: z.string().optional(),
  updatedAt: z.iso.datetime(),
});

export function nodeView(node: Node, path: string) {
  return {
    id: nodeId(node),
    kind: node.kind,
    name: node.name,
    path,
    ...(node.size === null ? {} : { size: node.size }),
    ...(node.mediaType === null ? {} : { mediaType: node.mediaType }),
    updatedAt: node.updatedAt.toISOString(),
  };
}

export function nodeId({ kind, id }: Pick<Node, "kind" | "id">): string {
  return encodeId(kind, id);
}

/** The node that the caller named by path or id. A node that they cannot see is answered as if it did not exist. */
export async function locate(context: CommandContext, target: string, lock?: TreeLock): Promise<Place> {
  const id = decodeId(target, "file", "folder");
  const place = await (id === undefined ? locatePath(context, target, lock) : locateId(context, id, lock));
  return requireVisible(context, place, target);
}

export async function requireVisible(
  context: CommandContext,
  place: Place | undefined,
  target: string,
): Promise<Place> {
  // guard: visible-places-only
  if (place && (await isVisible(context, place))) return place;
  throw notFound(context, target, await nearestFolder(context, target));
}

/** The same, but it must be a folder. */
export async function locateFolder(context: CommandContext, target: string, lock?: TreeLock): Promise<Place> {
  return requireFolder(await locate(context, target, lock));
}

export function requireFolder(place: Place): Place {
  if (place.node?.kind !== "file") return place;
  throw new ProblemError("conflict", `${addressOf(place)} is a file, not a folder.`, {
    next: { command: "files stat", arguments: { target: addressOf(place) } },
  });
}

export async function locateNode(
  context: CommandContext,
  target: string,
  lock?: TreeLock,
): Promise<Place & { node: Node }> {
  const { node, ...place } = await locate(context, target, lock);
  if (!node) throw new ProblemError("usage", "This is the workspace root. Name a file or folder in it.");
  return { ...place, node };
}

/**
 * What the caller takes away from its path. A folder is taken alone in the workspace: what others are putting into it is
 * stored before, and goes with it, or finds no such folder. A single file waits for nobody.
 */
export async function locateToTake(context: CommandContext, target: string): Promise<Place & { node: Node }> {
  const place = await locateNode(context, target);
  // guard: folders-go-alone
  return place.node.kind === "folder" ? locateNode(context, target, "reshape") : place;
}

export async function locateFile(context: CommandContext, target: string): Promise<Place & { node: Node }> {
  const place = await locateNode(context, target);
  if (place.node.kind === "folder")
    throw new ProblemError("conflict", `${addressOf(place)} is a folder, not a file.`, {
      next: { command: "files list", arguments: { folder: addressOf(place) } },
    });
  return place;
}

async function locatePath(
  context: CommandContext,
  target: string,
  lock: TreeLock | undefined,
): Promise<Place | undefined> {
  const { names, places } = await walkPath(context, target, lock);
  return places[names.length];
}

/** Every place on a path from the root down, as far as the path exists. Does not check access. */
export async function walkPath(
  context: CommandContext,
  target: string,
  lock?: TreeLock,
): Promise<{ names: string[]; places: [Place, ...Place[]] }> {
  const address = parseAddress(target, "path");
  const named = await workspaceAt(context, address);
  if (lock) await lockTree(context, named.id, lock);
  // guard: trashed-while-waiting
  const workspace = lock ? await workspaceAt(context, address) : named;
  const rights = await rightsIn(context, workspace.id);
  const names = parsePath(address.rest);
  const chain = await walkDown(context.transaction, workspace.id, names);
  const prefix = address.workspace === undefined ? "" : await prefixOf(context, workspace, address.workspace);
  const top: Place = { workspace, rights, node: undefined, path: "/", prefix };
  const below = chain.map((node, depth) => ({ ...top, node, path: formatPath(names.slice(0, depth + 1)) }));
  return { names, places: [top, ...below] };
}

async function locateId(
  context: CommandContext,
  id: string,
  lock: TreeLock | undefined,
): Promise<Place | undefined> {
  if (lock) {
    const found = await findNode(context.transaction, id);
    if (!found) return undefined;
    await lockTree(context, found.workspaceId, lock);
  }
  const chain = await walkUp(context.transaction, id);
  const node = chain.at(-1);
  // guard: trashed-folders-hide
  if (!node || chain.some(({ trashedAt }) => trashedAt !== null)) return undefined;
  const workspace = await findWorkspaceOf(context, node);
  if (!workspace) return undefined;
  const rights = await rightsIn(context, workspace.id);
  const prefix = await prefixOf(context, workspace);
  return { workspace, rights, node, path: formatPath(chain.map(({ name }) => name)), prefix };
}

/** Readable, or a folder that leads to something readable, of which only the name is shown. */
export async function isVisible(context: CommandContext, place: Place): Promise<boolean> {
  return isVisibleAmong(place, () => leadingFolders(context, place.rights));
}

async function isVisibleAmong(
  { rights, node, workspace }: Place,
  leading: () => Promise<ReadonlySet<string>>,
): Promise<boolean> {
  if (!node) return rights.roleIn(workspace.id) !== undefined || rights.seesAnything;
  if (rights.roleIn(node.scopeId) !== undefined) return true;
  return node.kind === "folder" && (await leading()).has(node.id);
}

export function leadingFolders({ transaction }: CommandContext, rights: Rights): Promise<Set<string>> {
  return foldersLeadingTo(transaction, rights.anchorsBelowHidden);
}

/** The scope that a node in this folder follows unless it has its own access list. */
export function scopeOf({ node, workspace }: Pick<Place, "node" | "workspace">): string {
  return node?.scopeId ?? workspace.id;
}

export function requireRoleAt(place: Place, needed: Role): void {
  if (isAtLeast(place.rights.roleIn(scopeOf(place)), needed)) return;
  throw new ProblemError("not_permitted", `Only ${withArticle(needed)} of ${addressOf(place)} can do this.`, {
    hint: `Run \`svc access show ${addressOf(place)}\` to see who has access.`,
  });
}

/** Changes the node as it was read. A conflict if somebody else changed it first or the name is taken. */
export async function changeNode(
  { transaction }: CommandContext,
  node: Node,
  set: Parameters<typeof updateNode>[2],
): Promise<void> {
  if (!(await updateNode(transaction, node, set))) throw changedBySomebody(node.name);
}

export function changedBySomebody(name: string): ProblemError {
  return new ProblemError(
    "conflict",
    `\`${name}\` was changed by somebody else, or the name is already taken.`,
    {
      hint: "Check with `svc files list`, then try again.",
    },
  );
}

/** For access lists: a node, and everything below it that follows the same list, now follows another. */
export async function followList(
  context: CommandContext,
  id: string,
  from: string,
  to: string,
): Promise<void> {
  await changeScope(context.transaction, id, from, to);
  const node = await findNode(context.transaction, id);
  if (node) await nodeChanged(context, { kind: "ACCESS_CHANGED", node });
}

/** The paths of a node and of every folder above it, by id. */
export async function pathsAbove({ transaction }: CommandContext, id: string): Promise<Map<string, string>> {
  const chain = await walkUp(transaction, id);
  const names = chain.map(({ name }) => name);
  return new Map(chain.map((node, index) => [node.id, formatPath(names.slice(0, index + 1))]));
}

/** The folder on the way to a path, as far down as the caller sees it. What is hidden does not exist here either. */
async function nearestFolder(context: CommandContext, target: string): Promise<string | undefined> {
  if (decodeId(target, "file", "folder") !== undefined) return undefined;
  const { places } = await walkPath(context, target);
  let nearest: Place = places[0];
  // Of all places on the way, once: a path can have a hundred.
  let asked: Promise<ReadonlySet<string>> | undefined;
  const leading = () => (asked ??= leadingFolders(context, nearest.rights));
  for (const place of places) {
    // guard: nearest-visible-folder
    if (place.node?.kind === "file" || !(await isVisibleAmong(place, leading))) break;
    nearest = place;
  }
  return addressOf(nearest);
}

function notFound(
  { workspace }: Pick<CommandContext, "workspace">,
  target: string,
  nearest: string | undefined,
): ProblemError {
  const detail = `\`${target}\` does not exist, or you do not have access to it.`;
  const [, named, path] = /^([^/:]+):([^/:][^:]*)$/.exec(target) ?? [];
  if (named !== undefined) {
    return new ProblemError("not_found", detail, {
      hint: `For a path in the workspace ${named}, write \`${named}:/${path}\`.`,
    });
  }
  const command = nearest === undefined && workspace === undefined ? "workspaces list" : "files list";
  const list = { command, ...(nearest === undefined ? {} : { arguments: { folder: nearest } }) };
  return new ProblemError("not_found", detail, pointTo(list, "to see what you have access to."));
}
