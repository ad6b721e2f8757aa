import { naming } from "@svc/command-router/arguments/value-kind";
import type { UndoneOperation } from "@svc/command-router/command";
import { pointTo } from "@svc/protocol/next";
import { ProblemError } from "@svc/protocol/problem";
import { encodeId } from "@svc/protocol/typed-id";
import { z } from "zod";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { requireAdministrator } from "../../platform/commands/require-administrator.ts";
import { noteChange, requireOwnChange } from "../../platform/undo/last-change.ts";
import { ownWork, takesWorkOfOthers } from "../../platform/undo/work-of-others.ts";
import { forgetRights, type Principal, principalId, requirePrincipal } from "../access/access.ts";
import { hasGroup, isUsedByOthers, setDisabled, setGroupMember } from "./groups-store.ts";

export const GroupTarget = z
  .string()
  .min(1)
  .max(200)
  .meta(naming("group"))
  .describe("Name or id of the group");

const groupsYouKnow = pointTo({ command: "groups list" }, "to see the groups you have access to.");

export async function requireGroup(context: CommandContext, target: string): Promise<Principal> {
  const found = await requirePrincipal(context, target, groupsYouKnow);
  if (found.kind === "group") return found;
  throw new ProblemError("not_found", `\`${target}\` is not a group.`, groupsYouKnow);
}

export const GroupMemberUndo = z.object({ group: z.string(), person: z.string(), isMember: z.boolean() });
type GroupMemberUndo = z.output<typeof GroupMemberUndo>;

export async function changeGroupMember(
  context: CommandContext,
  { group: target, person, isMember }: GroupMemberUndo,
  operation?: UndoneOperation,
): Promise<{ group: string; person: string; undo: GroupMemberUndo }> {
  // guard: groups-need-administrator
  requireAdministrator(context);
  const { transaction } = context;
  const group = await requireGroup(context, target);
  const principal = await requirePrincipal(context, person);
  if (group.id === principal.id) throw new ProblemError("conflict", "A group cannot be a member of itself.");
  const part = { subjectId: group.id, partId: principal.id };
  if (operation) await requireOwnChange(transaction, part, ownWork(context, operation));
  if (!(await setGroupMember(transaction, group.id, principal.id, isMember))) {
    throw new ProblemError(
      "conflict",
      `${principal.name} is ${isMember ? "already" : "not"} in ${group.name}.`,
    );
  }
  await noteChange(transaction, part);
  forgetRights(context);
  context.bindPreview(group.id);
  context.recordChange({
    action: isMember ? "create" : "delete",
    type: "group member",
    id: principalId(principal),
    name: `${principal.name} in ${group.name}`,
  });
  const undo = { group: principalId(group), person: principalId(principal), isMember: !isMember };
  return { group: group.name, person: principal.name, undo };
}

export async function undoGroupMember(
  context: CommandContext,
  payload: GroupMemberUndo,
  operation: UndoneOperation,
): Promise<GroupMemberUndo> {
  return (await changeGroupMember(context, payload, operation)).undo;
}

export const GroupUndo = z.object({ id: z.string(), name: z.string(), exists: z.boolean() });
type GroupUndo = z.output<typeof GroupUndo>;

export async function setGroupExists(
  context: CommandContext,
  { id, name, exists }: GroupUndo,
): Promise<GroupUndo> {
  requireAdministrator(context);
  const { transaction } = context;
  if (exists && (await hasGroup(transaction, name))) {
    throw new ProblemError("conflict", `A group named ${name} already exists.`);
  }
  if (!(await setDisabled(transaction, id, exists ? null : context.now))) {
    throw new ProblemError("conflict", `The group ${name} was changed after this operation.`);
  }
  await noteChange(transaction, { subjectId: id, partId: id });
  forgetRights(context);
  context.recordChange({
    action: exists ? "create" : "delete",
    type: "group",
    id: encodeId("group", id),
    name,
  });
  return { id, name, exists: !exists };
}

/** A group is removed only if nobody else has since added a member to it or granted it access. */
export async function undoGroup(
  context: CommandContext,
  payload: GroupUndo,
  operation: UndoneOperation,
): Promise<GroupUndo> {
  requireAdministrator(context);
  const own = ownWork(context, operation);
  const { id, name, exists } = payload;
  if (!exists && (await isUsedByOthers(context.transaction, id, own))) throw takesWorkOfOthers(name);
  await requireOwnChange(context.transaction, { subjectId: id, partId: id }, own);
  return setGroupExists(context, payload);
}
