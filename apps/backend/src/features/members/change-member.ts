import type { UndoneOperation } from "@svc/command-router/command";
import { ProblemError } from "@svc/protocol/problem";
import { encodeId } from "@svc/protocol/typed-id";
import { z } from "zod";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { requireOwnChange } from "../../platform/undo/last-change.ts";
import { ownWork } from "../../platform/undo/work-of-others.ts";
import {
  countOwners,
  deleteEntry,
  findEntry,
  forgetRights,
  type Principal,
  principalId,
  putEntry,
  type Role,
  requireInvitee,
} from "../access/access.ts";
import { requireRole, requireWorkspace } from "../workspaces/workspaces.ts";
import { MemberRole } from "./members.ts";

export const MemberUndo = z.object({
  workspace: z.string(),
  person: z.string(),
  /** The state that the operation left; undo is refused if it has changed. */
  left: MemberRole.optional(),
  before: MemberRole.optional(),
});
type MemberUndo = z.output<typeof MemberUndo>;

/** Sets somebody's role in a workspace; undefined removes them. The last owner stays. */
export async function setMember(
  context: CommandContext,
  workspace: { id: string; name: string },
  principal: Principal,
  role: Role | undefined,
) {
  const { transaction } = context;
  const before = await findEntry(transaction, workspace.id, principal.id);
  if (before === "owner" && role !== "owner" && (await countOwners(transaction, workspace.id)) === 1) {
    throw new ProblemError("conflict", `${principal.name} is the last owner of ${workspace.name}.`, {
      hint: "Make somebody else an owner first with `svc members add`.",
    });
  }
  if (role === undefined) await deleteEntry(transaction, workspace.id, principal.id);
  else await putEntry(transaction, workspace.id, principal.id, role);
  forgetRights(context);

  const id = principalId(principal);
  context.bindPreview(workspace.id);
  context.recordChange({
    action: before === undefined ? "create" : role === undefined ? "delete" : "update",
    type: "member",
    id,
    name: principal.name,
    ...(before === undefined ? {} : { before: { role: before } }),
    after: { workspace: workspace.name, ...(role === undefined ? {} : { role }) },
  });
  const undo: MemberUndo = {
    workspace: encodeId("workspace", workspace.id),
    person: id,
    ...(role === undefined ? {} : { left: role }),
    ...(before === undefined ? {} : { before }),
  };
  const view = {
    id,
    kind: principal.kind,
    name: principal.name,
    ...(principal.email === null ? {} : { email: principal.email }),
  };
  return { view, undo };
}

export async function undoMember(
  context: CommandContext,
  { workspace: target, person, left, before }: MemberUndo,
  operation: UndoneOperation,
): Promise<MemberUndo> {
  const { transaction } = context;
  const workspace = await requireWorkspace(context, target);
  requireRole(context, workspace, "owner");
  const principal = await requireInvitee(context, person);
  if ((await findEntry(transaction, workspace.id, principal.id)) !== left) {
    throw new ProblemError("conflict", `The role of ${principal.name} was changed after this operation.`);
  }
  const entry = { subjectId: workspace.id, partId: principal.id };
  await requireOwnChange(transaction, entry, ownWork(context, operation));
  return (await setMember(context, workspace, principal, before)).undo;
}
