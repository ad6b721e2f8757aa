import { missingScopes } from "@svc/command-router/require-may-run";
import { pointTo } from "@svc/protocol/next";
import { ProblemError } from "@svc/protocol/problem";
import { decodeId, encodeId } from "@svc/protocol/typed-id";
import { counted } from "@svc/rendering/counted";
import { z } from "zod";
import {
  type Approval,
  approvalStates,
  countPending,
  findApproval,
  type Whose,
} from "../../platform/approvals/approvals-store.ts";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { isAgentCredential } from "../../platform/identity/agent-of.ts";
import { credentialKey } from "../../platform/identity/caller.ts";
import { allRights } from "../access/access.ts";

export const ApprovalId = z.string().min(1).max(100).describe("Id of the approval, appr_…");

export const ApprovalView = z.object({
  id: z.string(),
  state: z.enum(approvalStates),
  askedBy: z.string(),
  onBehalfOf: z.string().optional().describe("Whose session it is"),
  command: z.string(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  decidedBy: z.string().optional(),
  decidedAt: z.iso.datetime().optional(),
  reason: z.string().optional(),
});

export function approvalView(approval: Approval): z.output<typeof ApprovalView> {
  const { id, state, actorName, askedWith, command, createdAt, expiresAt, decidedAt, deciderName, reason } =
    approval;
  const isAgent = isAgentCredential(askedWith);
  const personName = isAgent ? actorName : approval.personName;
  return {
    id: encodeId("approval", id),
    state,
    askedBy: isAgent ? "an agent" : (actorName ?? "somebody who was removed"),
    ...(personName === null ? {} : { onBehalfOf: personName }),
    command,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    ...(deciderName === null ? {} : { decidedBy: deciderName }),
    ...(decidedAt === null ? {} : { decidedAt: decidedAt.toISOString() }),
    ...(reason === null ? {} : { reason }),
  };
}

/** Those that the caller asked for; unless an AI member is at work, also those of workspaces that the caller owns. */
export async function whose(context: CommandContext): Promise<Whose> {
  const { actor } = context;
  // guard: agents-see-their-own
  if (actor.onBehalfOf)
    return { actorId: actor.id, askedWith: credentialKey(context.caller), ownedWorkspaces: [] };
  if (actor.kind === "ai" || context.inSession) return { actorId: actor.id, ownedWorkspaces: [] };
  const person = actor.id;
  if (actor.isAdministrator) return { actorId: actor.id, person, ownedWorkspaces: "all" };
  const rights = await allRights(context);
  const ownedWorkspaces = [...rights].flatMap(([id, some]) => (some.roleIn(id) === "owner" ? [id] : []));
  return { actorId: actor.id, person, ownedWorkspaces };
}

export async function requireApproval(
  context: CommandContext,
  target: string,
  lock: "lock" | "look" = "look",
): Promise<Approval> {
  const id = decodeId(target, "approval");
  const found = id && (await findApproval(context.transaction, await whose(context), id, lock));
  if (found) return found;
  throw new ProblemError("not_found", `There is no approval \`${target}\` for you.`, {
    ...pointTo({ command: "approvals list" }, "to see those that wait for you."),
  });
}

/** A question of somebody else that nobody has answered yet, for a person who may answer it. */
export async function requireUndecided(context: CommandContext, target: string): Promise<Approval> {
  const approval = await requireApproval(context, target, "lock");
  // guard: only-people-decide
  if (context.actor.kind !== "human") {
    throw new ProblemError("not_permitted", "Only a person can decide.", {
      hint: "Log in with `svc login` and decide there.",
    });
  }
  // guard: nobody-approves-their-own
  if (approval.askedWith === credentialKey(context.caller)) {
    throw new ProblemError("not_permitted", "The credential that asked cannot decide.", {
      hint: "Decide with another one, or ask another owner of the workspace.",
    });
  }
  if (approval.state !== "pending") {
    throw new ProblemError("conflict", `This approval is already ${approval.state}.`);
  }
  return approval;
}

/** For everybody who can decide something that waits. */
export async function pendingNotice(context: CommandContext): Promise<string[]> {
  const count = await pendingFor(context);
  return count === 0
    ? []
    : [`${counted(count, "approval")} ${count === 1 ? "waits" : "wait"} for you: svc approvals list`];
}

export async function pendingFor(context: CommandContext): Promise<number> {
  if (!context.approvalsWait || context.actor.kind !== "human") return 0;
  if (missingScopes(["approvals:read"], context.caller.scopes).length > 0) return 0;
  return countPending(context.transaction, await whose(context), credentialKey(context.caller));
}
