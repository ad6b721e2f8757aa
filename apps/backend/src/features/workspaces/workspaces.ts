import { ProblemError } from "@svc/protocol/problem";
import { decodeId, encodeId } from "@svc/protocol/typed-id";
import { z } from "zod";
import type { CommandContext } from "../../platform/command-context.ts";
import { PerTransaction } from "../../platform/per-transaction.ts";
import { rememberRights } from "../access/access.ts";
import {
  findWorkspaceById,
  findWorkspaceByName,
  listWorkspaces,
  updateWorkspace,
  type Workspace,
  type WorkspaceRole,
} from "./workspaces-store.ts";

export { listWorkspaceIds } from "./workspaces-store.ts";
export type { Workspace, WorkspaceRole };
export const workspaceRoles = ["owner", "editor", "viewer"] as const satisfies WorkspaceRole[];

/** A workspace as callers see it. */
export const WorkspaceView = z.object({
  id: z.string(),
  name: z.string(),
  slug: z.string(),
  role: z.string(),
  semanticSearchEnabled: z.boolean(),
  createdAt: z.iso.datetime(),
});

export const WorkspaceTarget = z.string().min(1).max(200).describe("Id, slug or name of the workspace");
export const WorkspaceName = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^[^\p{Control}\p{Surrogate}]*$/u, "control characters are not allowed")
  .transform((name) => name.normalize("NFC"))
  .pipe(z.string().refine((name) => toSlug(name) !== "", "needs at least one letter or digit"));

export function workspaceView(
  { id, name, slug, role, semanticSearchEnabled, createdAt }: Workspace,
  { isAdministrator }: Pick<CommandContext["actor"], "isAdministrator">,
) {
  return {
    id: encodeId("workspace", id),
    name,
    slug,
    // Without a role he sees it as an administrator, or because something in it was shared with him.
    role: role ?? (isAdministrator ? "administrator" : "guest"),
    semanticSearchEnabled,
    createdAt: createdAt.toISOString(),
  };
}

/** Letters and digits of any script, words joined by dashes. */
export function toSlug(name: string): string {
  return name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Mark}\p{Number}]+/gu, "-")
    .replace(/^-|-$/g, "");
}

export function visibleWorkspaces(
  { transaction, actor }: Pick<CommandContext, "transaction" | "actor">,
  options: { after?: string; limit: number },
): Promise<Workspace[]> {
  return listWorkspaces(transaction, { ...options, seesAll: actor.isAdministrator });
}

const known = new PerTransaction<Promise<Workspace | undefined>>();

/** The workspace that the caller named. What he may not see is answered like what is not there. */
export async function requireWorkspace(context: CommandContext, target: string): Promise<Workspace> {
  const workspace = await findWorkspace(context, target);
  if (workspace) return workspace;
  throw new ProblemError("not_found", `There is no workspace \`${target}\`, or you may not see it.`, {
    hint: "`svc workspaces list` shows those that you can see.",
  });
}

/** The workspace that something named by its id is in. Undefined if the caller cannot see it: no answer may name it then. */
export function findWorkspaceOf(
  context: CommandContext,
  { workspaceId }: { workspaceId: string },
): Promise<Workspace | undefined> {
  return findWorkspace(context, encodeId("workspace", workspaceId));
}

function findWorkspace(context: CommandContext, target: string): Promise<Workspace | undefined> {
  // A command with two paths asks twice.
  return known.once(context.transaction, target, () => findVisible(context, target));
}

async function findVisible(context: CommandContext, target: string): Promise<Workspace | undefined> {
  const { transaction } = context;
  const id = decodeId(target, "workspace");
  const found = await (id === undefined
    ? findWorkspaceByName(transaction, target)
    : findWorkspaceById(transaction, id));
  if (!found || found.trashedAt !== null) return undefined;
  const { scopes, ...workspace } = found;
  const rights = rememberRights(context, found.id, scopes);
  return found.role !== null || rights.seesAnything ? workspace : undefined;
}

/** The workspace of this call: --workspace, the ambient one, what `svc use` chose, or the credential's default. */
export async function currentWorkspace(context: CommandContext): Promise<Workspace> {
  if (context.workspace === undefined) {
    throw new ProblemError("usage", "This command needs a workspace.", {
      hint: "Name one with --workspace.",
    });
  }
  return requireWorkspace(context, context.workspace);
}

const order: readonly WorkspaceRole[] = ["viewer", "editor", "owner"];

/** An administrator of the tenant counts as owner everywhere. */
export function requireRole({ actor }: CommandContext, workspace: Workspace, needed: WorkspaceRole): void {
  if (actor.isAdministrator) return;
  if (workspace.role !== null && order.indexOf(workspace.role) >= order.indexOf(needed)) return;
  throw new ProblemError("not_permitted", `Only the ${needed} of \`${workspace.name}\` may do this.`, {
    hint: `\`svc members list --workspace ${workspace.slug}\` shows who that is.`,
  });
}

/** Changes the workspace as it was read; where somebody was faster, or the name is taken, it is a conflict. */
export async function changeWorkspace(
  context: CommandContext,
  workspace: Pick<Workspace, "id" | "version" | "name">,
  set: Parameters<typeof updateWorkspace>[2],
): Promise<void> {
  const { transaction } = context;
  known.forget(transaction);
  if (await updateWorkspace(transaction, workspace, set)) {
    const { id: workspaceId } = workspace;
    const { semanticSearchEnabled: isEnabled } = set;
    if (isEnabled !== undefined)
      await context.emit("SemanticSearchSwitchedEvent", { workspaceId, isEnabled });
    await context.emit("WorkspaceChangedEvent", { kind: "CHANGED", workspaceId });
    return;
  }
  throw new ProblemError("conflict", `\`${workspace.name}\` was changed meanwhile, or that name is taken.`, {
    hint: "Look at it again with `svc workspaces list`, then repeat.",
  });
}
