import { type Address, formatAddress, localPrefix } from "@svc/command-router/arguments/address";
import { naming } from "@svc/command-router/arguments/value-kind";
import { pointTo } from "@svc/protocol/next";
import { ProblemError } from "@svc/protocol/problem";
import { decodeId, encodeId } from "@svc/protocol/typed-id";
import { z } from "zod";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { PerTransaction } from "../../platform/commands/per-transaction.ts";
import type { SharedThing } from "../../platform/commands/shared-things.ts";
import { requireJsonCursor, writeJsonCursor } from "../../platform/cursors/json-cursor.ts";
import {
  allRights,
  forgetRights,
  isAtLeast,
  type Role,
  rememberRights,
  withArticle,
} from "../access/access.ts";
import { type TreeLock, lockTree as waitForTree } from "./tree-lock.ts";
import { visibleTo, withRoleOfBoth } from "./visible-to.ts";
import {
  findWorkspaceById,
  findWorkspacesByName,
  listWorkspaces,
  lockSlug,
  updateWorkspace,
  type Workspace,
} from "./workspaces-store.ts";

export { type AddressedWorkspace, addressesOf, addressWorkspaces, prefixOf } from "./addresses.ts";
export { findNamedWorkspaces } from "./find-named-workspaces.ts";
export type { TreeLock } from "./tree-lock.ts";
export { visibleTo } from "./visible-to.ts";
export { listWorkspaceIds, namesakesOf } from "./workspaces-store.ts";
export type { Workspace };
export const workspaceRoles = ["owner", "editor", "viewer"] as const satisfies Role[];

/** A workspace as callers see it. */
export const WorkspaceView = z.object({
  id: z.string(),
  name: z.string(),
  slug: z.string(),
  role: z.string(),
  semanticSearchEnabled: z.boolean(),
  createdAt: z.iso.datetime(),
});

export const WorkspaceTarget = z
  .string()
  .min(1)
  .max(200)
  .meta(naming("workspace"))
  .describe("Id, slug or name of the workspace");
export const WorkspaceName = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^[^\p{Control}\p{Surrogate}]*$/u, "must not contain control characters")
  .transform((name) => name.normalize("NFC"))
  .pipe(
    z
      .string()
      .refine((name) => toSlug(name) !== "", "needs at least one letter or digit")
      .refine((name) => toSlug(name) !== localPrefix, "is reserved: `file:` names files on your machine"),
  );

export function workspaceView(
  { id, name, slug, role, semanticSearchEnabled, createdAt }: Workspace,
  { isAdministrator }: Pick<CommandContext["actor"], "isAdministrator">,
) {
  return {
    id: encodeId("workspace", id),
    name,
    slug,
    // Without a role, the caller sees it as an administrator, or because something in it was shared with them.
    role: role ?? (isAdministrator ? "administrator" : "guest"),
    semanticSearchEnabled,
    createdAt: createdAt.toISOString(),
  };
}

/** The workspace as access lists know it; its own list is the one at the top. */
export function sharedWorkspace({ id, name }: Workspace): SharedThing {
  const typed = encodeId("workspace", id);
  return { kind: "workspace", id, name, typed, workspaceId: id, workspaceName: name, scopeId: id };
}

/** Letters and digits of any script, words joined by dashes. */
export function toSlug(name: string): string {
  return name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Mark}\p{Number}]+/gu, "-")
    .replace(/^-|-$/g, "");
}

export async function visibleWorkspaces(
  context: Pick<CommandContext, "transaction" | "actor">,
  {
    limit,
    cursor,
    beginning = "",
  }: { cursor?: string | undefined; beginning?: string | undefined; limit: number },
): Promise<Workspace[]> {
  const after = requireJsonCursor(WorkspacePlace, cursor);
  const rows = await listWorkspaces(context.transaction, {
    limit,
    visible: await visibleTo(context),
    beginning,
    after,
  });
  if (!context.actor.onBehalfOf) return rows;
  const rights = await allRights(context);
  return rows.map((row) => ({ ...row, role: rights.get(row.id)?.roleIn(row.id) ?? null }));
}

/** A slug alone does not say where a list continues. */
const WorkspacePlace = z.object({ slug: z.string(), id: z.uuid() });

export function workspaceCursor({ slug, id }: Workspace): string {
  return writeJsonCursor({ slug, id } satisfies z.input<typeof WorkspacePlace>);
}

/**
 * Takes the lock of a workspace's tree. After a wait, the workspace may be in the trash and other access lists hold, so
 * that what was read of them is forgotten.
 */
export async function lockTree(
  context: Pick<CommandContext, "transaction" | "isPart" | "progress">,
  workspaceId: string,
  wanted: TreeLock,
): Promise<void> {
  if (!(await waitForTree(context, workspaceId, wanted))) return;
  // guard: read-again-after-waiting
  forgetFound(context);
}

function forgetFound(context: Pick<CommandContext, "transaction">): void {
  foundWorkspaces.forget(context.transaction);
  forgetRights(context);
}

const foundWorkspaces = new PerTransaction<Promise<Workspace | undefined>>();

/** The workspace that the caller named. One that they cannot see is answered as if it did not exist. */
export async function requireWorkspace(context: CommandContext, target: string): Promise<Workspace> {
  const workspace = await findWorkspace(context, target);
  if (workspace) return workspace;
  throw new ProblemError(
    "not_found",
    `There is no workspace \`${target}\`, or you do not have access to it.`,
    pointTo({ command: "workspaces list" }, "to see the ones you have access to."),
  );
}

/** The workspace of a thing named by id. Undefined if the caller cannot see it, because then no answer may name it. */
export function findWorkspaceOf(
  context: CommandContext,
  { workspaceId }: { workspaceId: string },
): Promise<Workspace | undefined> {
  return findWorkspace(context, encodeId("workspace", workspaceId));
}

function findWorkspace(context: CommandContext, target: string): Promise<Workspace | undefined> {
  // A command with two paths calls this twice.
  return foundWorkspaces.once(context.transaction, target, () => findVisible(context, target));
}

/** By id, or by slug, or by name, in this order. If two visible workspaces match equally, we ask rather than guess. */
async function findVisible(context: CommandContext, target: string): Promise<Workspace | undefined> {
  const matches = await visibleMatches(context, target);
  const bySlug = matches.filter(({ slug }) => slug === target);
  const found = bySlug.length > 0 ? bySlug : matches;
  if (found.length < 2) return found[0];
  const ids = found.map(({ id }) => encodeId("workspace", id));
  throw new ProblemError("conflict", `You can see ${found.length} workspaces called \`${target}\`.`, {
    hint: `Use the id: ${ids.join(" or ")}. \`svc workspaces get <id>\` shows which is which.`,
  });
}

/** The workspaces with this id, slug or name that the caller can see: a hidden one never gets in the way. */
async function visibleMatches(context: CommandContext, target: string): Promise<Workspace[]> {
  const { transaction } = context;
  const id = decodeId(target, "workspace");
  const matches =
    id === undefined
      ? await findWorkspacesByName(transaction, target, await visibleTo(context))
      : [await findWorkspaceById(transaction, id)];
  const visible: Workspace[] = [];
  for (const match of matches) {
    if (match === undefined || match.trashedAt !== null) continue;
    const { scopes, ...row } = match;
    const rights = await rememberRights(context, match.id, scopes);
    const workspace = await withRoleOfBoth(context, row);
    // guard: visible-workspaces-only
    if (workspace.role !== null || rights.seesAnything) visible.push(workspace);
  }
  return visible;
}

/**
 * A slug is unique among the workspaces that the caller can see: a conflict with a hidden one would reveal that it
 * exists. People who later see two with the same slug use their ids (ADR 36).
 */
export async function requireFreeSlug(
  context: CommandContext,
  slug: string,
  except?: Pick<Workspace, "id">,
): Promise<void> {
  await lockSlug(context.transaction, slug);
  const matches = await visibleMatches(context, slug);
  if (!matches.some((match) => match.slug === slug && match.id !== except?.id)) return;
  throw new ProblemError("conflict", `A workspace with the slug \`${slug}\` already exists.`, {
    hint: "Choose another name.",
  });
}

/** The workspace of this call: --workspace, the ambient one, the choice of `svc use`, or the credential's default. */
export async function currentWorkspace(context: CommandContext): Promise<Workspace> {
  if (context.workspace === undefined) {
    throw new ProblemError("usage", "This command needs a workspace.", {
      hint: "Choose one with --workspace.",
      next: { command: "workspaces list", arguments: {} },
    });
  }
  return requireWorkspace(context, context.workspace);
}

/** The workspace that an address names, which beats the call's; without a name, the call's. */
export async function workspaceAt(context: CommandContext, address: Address): Promise<Workspace> {
  const { workspace } = address;
  if (workspace === undefined) return currentWorkspace(context);
  if (workspace === localPrefix) {
    throw new ProblemError("usage", `\`${formatAddress(address)}\` names a file on your machine.`, {
      hint: "Name something in a workspace, for example `marketing:/reports`.",
    });
  }
  return requireWorkspace(context, workspace);
}

/** An administrator of the tenant counts as owner everywhere. */
export function requireRole({ actor }: CommandContext, workspace: Workspace, needed: Role): void {
  if (actor.isAdministrator) return;
  if (isAtLeast(workspace.role, needed)) return;
  throw new ProblemError(
    "not_permitted",
    `Only ${withArticle(needed)} of \`${workspace.name}\` can do this.`,
    {
      hint: `Run \`svc members list --workspace ${workspace.slug}\` to see who can.`,
    },
  );
}

/** Changes the workspace as it was read. A conflict if somebody else changed it first or the slug is taken. */
export async function changeWorkspace(
  context: CommandContext,
  workspace: Pick<Workspace, "id" | "version" | "name">,
  set: Parameters<typeof updateWorkspace>[2],
): Promise<void> {
  const { transaction } = context;
  foundWorkspaces.forget(transaction);
  if (set.slug !== undefined) await requireFreeSlug(context, set.slug, workspace);
  if (await updateWorkspace(transaction, workspace, set)) {
    const { id: workspaceId } = workspace;
    const { semanticSearchEnabled: isEnabled } = set;
    if (isEnabled !== undefined)
      await context.emit("SemanticSearchSwitchedEvent", { workspaceId, isEnabled });
    await context.emit("WorkspaceChangedEvent", { kind: "CHANGED", workspaceId });
    return;
  }
  throw new ProblemError("conflict", `Somebody else changed \`${workspace.name}\` at the same time.`, {
    hint: "Check with `svc workspaces list`, then try again.",
  });
}
