import { ProblemError } from "@svc/protocol/problem";
import { encodeId } from "@svc/protocol/typed-id";
import { z } from "zod";
import type { CommandContext } from "../../platform/command-context.ts";
import { requireAdministrator } from "../../platform/require-administrator.ts";
import { forgetRights } from "../access/access.ts";
import { type Principal, principalId, requirePrincipal } from "../members/members.ts";
import { setDisabled, setGroupMember } from "./groups-store.ts";

export const GroupTarget = z.string().min(1).max(200).describe("Name or id of the group");

export async function requireGroup(context: CommandContext, target: string): Promise<Principal> {
  const found = await requirePrincipal(context, target);
  if (found.kind === "group") return found;
  throw new ProblemError("not_found", `\`${target}\` is not a group.`, {
    hint: "`svc groups list` shows them.",
  });
}

export const GroupMemberUndo = z.object({ group: z.string(), person: z.string(), isMember: z.boolean() });

export async function changeGroupMember(
  context: CommandContext,
  { group: target, person, isMember }: z.output<typeof GroupMemberUndo>,
): Promise<{ group: string; person: string }> {
  requireAdministrator(context);
  const group = await requireGroup(context, target);
  const principal = await requirePrincipal(context, person);
  if (group.id === principal.id) throw new ProblemError("conflict", "A group is not in itself.");
  if (!(await setGroupMember(context.transaction, group.id, principal.id, isMember))) {
    throw new ProblemError(
      "conflict",
      `${principal.name} is ${isMember ? "in" : "not in"} ${group.name} already.`,
    );
  }
  forgetRights(context);
  context.recordChange({
    action: isMember ? "create" : "delete",
    type: "group member",
    id: principalId(principal),
    name: `${principal.name} in ${group.name}`,
  });
  context.recordUndo({ group: principalId(group), person: principalId(principal), isMember: !isMember });
  return { group: group.name, person: principal.name };
}

export const GroupUndo = z.object({ id: z.string(), name: z.string(), exists: z.boolean() });

export async function setGroupExists(
  context: CommandContext,
  { id, name, exists }: z.output<typeof GroupUndo>,
): Promise<void> {
  requireAdministrator(context);
  if (!(await setDisabled(context.transaction, id, exists ? null : context.now))) {
    throw new ProblemError("conflict", `The group ${name} was changed meanwhile.`);
  }
  forgetRights(context);
  context.recordChange({
    action: exists ? "create" : "delete",
    type: "group",
    id: encodeId("group", id),
    name,
  });
  context.recordUndo({ id, name, exists: !exists });
}
