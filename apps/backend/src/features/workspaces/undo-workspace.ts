import type { UndoneOperation } from "@svc/command-router/command";
import { ProblemError } from "@svc/protocol/problem";
import { encodeId } from "@svc/protocol/typed-id";
import { z } from "zod";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { changeIdOfState, leftBy } from "../../platform/undo/left-by.ts";
import { ownWork, takesWorkOfOthers } from "../../platform/undo/work-of-others.ts";
import { withRoleOfBoth } from "./visible-to.ts";
import { lockContents } from "./workspace-contents-store.ts";
import { changeWorkspace, lockTree, requireRole } from "./workspaces.ts";
import { findWorkspaceById, lockWorkspace, type Workspace } from "./workspaces-store.ts";

const WorkspaceState = z.object({
  ...changeIdOfState,
  version: z.int(),
  isTrashed: z.boolean(),
  name: z.string(),
  slug: z.string(),
  semanticSearchEnabled: z.boolean(),
});
type WorkspaceState = z.output<typeof WorkspaceState>;

/**
 * The workspace as the operation left it, and as it was before. Undo swaps the two, so that an undo can be undone in
 * the same way.
 */
export const WorkspaceUndo = z.object({ id: z.string(), left: WorkspaceState, before: WorkspaceState });
type WorkspaceUndo = z.output<typeof WorkspaceUndo>;

export function changeUndo(before: Workspace, after: Workspace): WorkspaceUndo {
  return { id: after.id, left: stateOf(after), before: { ...stateOf(before), changeId: before.changeId } };
}

export function creationUndo(workspace: Workspace): WorkspaceUndo {
  const left = stateOf(workspace);
  return { id: workspace.id, left, before: { ...left, version: left.version + 1, isTrashed: true } };
}

export async function undoWorkspace(
  context: CommandContext,
  { id, left, before }: WorkspaceUndo,
  operation: UndoneOperation,
): Promise<WorkspaceUndo> {
  await lockTree(context, id, "reshape");
  await lockWorkspace(context.transaction, id);
  const workspace = await findWorkspaceById(context.transaction, id);
  const changeId = leftBy(left, operation);
  if (workspace?.changeId !== changeId || workspace?.version !== left.version) {
    throw new ProblemError(
      "conflict",
      "The workspace was changed after this operation, so the operation can no longer be undone.",
    );
  }
  requireRole(context, await withRoleOfBoth(context, workspace), "owner");
  if (before.isTrashed) await moveToTrash(context, workspace, before, operation);
  else if (left.isTrashed) await takeFromTrash(context, workspace, before);
  else await changeBack(context, workspace, before);
  return { id, left: before, before: { ...left, changeId } };
}

const listedAtMost = 100;

async function moveToTrash(
  context: CommandContext,
  workspace: Workspace,
  { version, changeId }: WorkspaceState,
  operation: UndoneOperation,
): Promise<void> {
  const { id, name } = workspace;
  const contents = await lockContents(context.transaction, id, ownWork(context, operation));
  if (contents.isOfOthers) throw takesWorkOfOthers(name);
  const { items, ...counts } = contents.going;
  const shownId = encodeId("workspace", id);
  context.recordChange({
    action: "delete",
    type: "workspace",
    id: shownId,
    name,
    version: workspace.version,
    ...(items.length === 0 ? {} : { before: counts }),
  });
  for (const { kind, id: itemId, path, version: itemVersion } of items.slice(0, listedAtMost)) {
    const change = { id: encodeId(kind, itemId), name: path, version: itemVersion };
    context.recordChange({ action: "delete", type: kind, ...change });
  }
  await changeWorkspace(context, workspace, { trashedAt: context.now, version, changeId });
}

async function takeFromTrash(
  context: CommandContext,
  workspace: Workspace,
  { slug, version, changeId }: WorkspaceState,
): Promise<void> {
  // Sets the slug too, to notice a workspace that has taken it.
  await changeWorkspace(context, workspace, { trashedAt: null, slug, version, changeId });
  context.recordChange({ action: "create", type: "workspace", name: workspace.name, after: { slug } });
}

async function changeBack(
  context: CommandContext,
  workspace: Workspace,
  { version, changeId, name, slug, semanticSearchEnabled }: WorkspaceState,
): Promise<void> {
  const isSwitched = workspace.semanticSearchEnabled !== semanticSearchEnabled;
  await changeWorkspace(context, workspace, {
    name,
    slug,
    version,
    changeId,
    ...(isSwitched ? { semanticSearchEnabled } : {}),
  });
  const shown = isSwitched
    ? {
        before: { semanticSearchEnabled: workspace.semanticSearchEnabled },
        after: { semanticSearchEnabled },
      }
    : { before: { name: workspace.name, slug: workspace.slug }, after: { name, slug } };
  const id = encodeId("workspace", workspace.id);
  context.recordChange({
    action: "update",
    type: "workspace",
    id,
    name: workspace.name,
    version: workspace.version,
    ...shown,
  });
}

function stateOf({ version, trashedAt, name, slug, semanticSearchEnabled }: Workspace): WorkspaceState {
  return { version, isTrashed: trashedAt !== null, name, slug, semanticSearchEnabled };
}
