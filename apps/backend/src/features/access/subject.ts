import { ProblemError } from "@svc/protocol/problem";
import { decodeId, encodeId } from "@svc/protocol/typed-id";
import { z } from "zod";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { locateCollection } from "../collections/collections.ts";
import { locate, lockTree, type TreeLock } from "../files/files.ts";
import { requireWorkspace, type Workspace } from "../workspaces/workspaces.ts";
import { isAtLeast, type Rights, rightsIn } from "./access.ts";
import { findScope } from "./access-store.ts";

const collectionPrefix = "collection:";

export const SubjectTarget = z
  .string()
  .min(1)
  .max(4_096)
  .describe("Path or id of a file or folder, collection:<name> or its id; / or ws_… for the workspace");

/** What an access list is about. */
export interface Subject {
  kind: "workspace" | "folder" | "file" | "collection";
  id: string;
  shownId: string;
  name: string;
  workspaceId: string;
  workspaceName: string;
  /** The list that it follows now: its own, or the nearest above. */
  scopeId: string;
  hasOwnList: boolean;
  inherits: boolean;
  rights: Rights;
}

export async function locateSubject(
  context: CommandContext,
  target: string,
  lock?: TreeLock,
): Promise<Subject> {
  if (decodeId(target, "workspace") !== undefined) {
    const workspace = await requireWorkspace(context, target);
    if (lock) await lockTree(context, workspace.id, lock);
    return toSubject(
      context,
      workspace,
      { kind: "workspace", id: workspace.id, name: workspace.name },
      workspace.id,
    );
  }
  if (target.startsWith(collectionPrefix) || decodeId(target, "collection") !== undefined) {
    return locateCollectionSubject(context, target, lock);
  }
  const { node, path, workspace } = await locate(context, target, lock);
  if (!node) return locateSubject(context, encodeId("workspace", workspace.id));
  return toSubject(context, workspace, { kind: node.kind, id: node.id, name: path }, node.scopeId);
}

async function locateCollectionSubject(
  context: CommandContext,
  target: string,
  lock: TreeLock | undefined,
): Promise<Subject> {
  const named = target.startsWith(collectionPrefix) ? target.slice(collectionPrefix.length) : target;
  const { workspace, collection } = await locateCollection(context, named);
  if (lock) {
    await lockTree(context, workspace.id, lock);
    return locateCollectionSubject(context, encodeId("collection", collection.id), undefined);
  }
  const { id, name, scopeId } = collection;
  return toSubject(context, workspace, { kind: "collection", id, name }, scopeId);
}

async function toSubject(
  context: CommandContext,
  workspace: Workspace,
  subject: Pick<Subject, "kind" | "id" | "name">,
  scopeId: string,
): Promise<Subject> {
  const scope = await findScope(context.transaction, { id: scopeId });
  if (!scope) throw new Error("a node follows a list that is not there");
  const hasOwnList = scope.anchorId === subject.id;
  return {
    ...subject,
    shownId: encodeId(subject.kind, subject.id),
    workspaceId: workspace.id,
    workspaceName: workspace.name,
    scopeId,
    hasOwnList,
    inherits: hasOwnList ? scope.inherits : true,
    rights: await rightsIn(context, workspace.id),
  };
}

/** Of a folder that only leads somewhere, the list is not his to read. */
export function requireReader({ rights, scopeId, name }: Subject): void {
  if (rights.roleIn(scopeId) !== undefined) return;
  throw new ProblemError("not_permitted", `You can pass through ${name}, and see no more of it.`);
}

export function requireOwnership({ rights, scopeId, name }: Subject): void {
  if (isAtLeast(rights.roleIn(scopeId), "owner")) return;
  throw new ProblemError("not_permitted", `Only an owner of ${name} decides who may see it.`, {
    hint: "`svc access show` tells who that is.",
  });
}
