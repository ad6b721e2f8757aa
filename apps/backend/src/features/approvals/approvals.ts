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
  origin: z.enum(["command", "question"]).describe("What waits: a command, or a question in words"),
  state: z.enum(approvalStates),
  askedBy: z.string(),
  onBehalfOf: z.string().optional().describe("Whose session it is"),
  command: z.string(),
  question: z.string().optional(),
  choices: z.array(z.string()).optional().describe("Answers to choose from"),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  decidedBy: z.string().optional(),
  decidedAt: z.iso.datetime().optional(),
  reason: z.string().optional().describe("Why somebody said no"),
  answer: z.string().optional(),
});

/** What a question was asked with. */
export const Question = z.object({ question: z.string(), choices: z.array(z.string()) });

export function approvalView(approval: Approval): z.output<typeof ApprovalView> {
  const { id, origin, state, actorName, askedWith, command, createdAt, expiresAt, decidedAt, deciderName } =
    approval;
  const isAgent = isAgentCredential(askedWith);
  const personName = isAgent ? actorName : approval.personName;
  return {
    id: encodeId("approval", id),
    origin,
    state,
    askedBy: isAgent ? "an agent" : (actorName ?? "somebody who was removed"),
    ...(personName === null ? {} : { onBehalfOf: personName }),
    command,
    ...(origin === "question" ? Question.parse(approval.arguments) : {}),
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    ...(deciderName === null ? {} : { decidedBy: deciderName }),
    ...(decidedAt === null ? {} : { decidedAt: decidedAt.toISOString() }),
    ...(approval.reason === null ? {} : { [state === "answered" ? "answer" : "reason"]: approval.reason }),
  };
}

/** Those that the caller asked for; unless an AI member is at work, also those of workspaces that the caller owns. */
export async function whose(context: CommandContext): Promise<Whose> {
  const { actor } = context;
  if (actor.onBehalfOf)
    return { actorId: actor.id, askedWith: credentialKey(context.caller), ownedWorkspaces: [] };
  // guard: agents-see-their-own
  if (actor.kind === "ai") return { actorId: actor.id, besidesSessions: true, ownedWorkspaces: [] };
  if (context.inSession) return { actorId: actor.id, ownedWorkspaces: [] };
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

/** What somebody else asks for and nobody has decided yet, for a person who may decide it. */
export async function requireUndecided(
  context: CommandContext,
  target: string,
  origin?: Approval["origin"],
): Promise<Approval> {
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
  if (origin !== undefined && approval.origin !== origin) throw otherKind(approval);
  return approval;
}

function otherKind({ origin, id }: Approval): ProblemError {
  const [what, line] =
    origin === "question" ? ["a question", "answer"] : ["a command that waits for approval", "approve"];
  return new ProblemError("usage", `This is ${what}.`, {
    hint: `Use \`svc approvals ${line} ${encodeId("approval", id)}\`, or deny it.`,
  });
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
