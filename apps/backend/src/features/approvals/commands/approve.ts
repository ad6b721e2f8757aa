import { exitCode } from "@svc/protocol/exit-code";
import { ProblemError } from "@svc/protocol/problem";
import { z } from "zod";
import type { Approval } from "../../../platform/approvals/approvals-store.ts";
import type { CommandContext, Rehearsal } from "../../../platform/commands/command-context.ts";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { readAsking } from "../../../platform/identity/sessions-store.ts";
import { ApprovalId, ApprovalView, requireUndecided } from "../approvals.ts";
import { decide } from "../decide.ts";

export default defineCommand({
  summary: "Let an AI member do exactly what it asked for",
  description:
    "The AI member then repeats its line and commits with its own rights. You can approve what you could do yourself. " +
    "If the result would differ from what it asked for, the approval is withdrawn.",
  category: "Agents",
  keywords: ["allow", "accept", "permit", "yes"],
  effect: "write",
  agents: "never",
  reach: "inside",
  scopes: ["approvals:write"],
  arguments: z.strictObject({ approval: ApprovalId }),
  positionals: ["approval"],
  result: ApprovalView,
  presentation: {
    as: "text",
    text: ({ state, askedBy, command }) =>
      state === "approved"
        ? `Approved: ${askedBy} can now run \`svc ${command}\``
        : `Withdrawn: \`svc ${command}\` would no longer do what ${askedBy} asked for`,
  },
  exitCode: ({ state }) => (state === "approved" ? exitCode.done : exitCode.failedCheck),
  examples: [
    { command: "approvals approve appr_01h455vb4pex5vsknk084sn02q", note: "After `approvals show`" },
  ],
  failures: ["not_found", "conflict", "usage"],
  async run(context, { approval: target }) {
    const approval = await requireUndecided(context, target, "command");
    const asAgent = await rehearseAsAgent(context, approval);
    const state = asAgent?.digest === approval.digest ? "approved" : "withdrawn";
    // guard: approvers-may-do-it
    if (asAgent && state === "approved") await requireMayDoTheSame(context, approval, asAgent);
    return decide(context, approval, { state });
  },
});

/** With the rights of the asking actor now. Undefined if it may no longer do it: that differs from what it asked for. */
async function rehearseAsAgent(context: CommandContext, approval: Approval): Promise<Rehearsal | undefined> {
  const { actorId, askedWith, scopes, inSession } = approval;
  const asking = await readAsking(context.transaction, { actorId, credential: askedWith });
  if (!asking) return undefined;
  try {
    return await context.rehearse({ ...callOf(approval), as: { ...asking, scopes, inSession } });
  } catch (error) {
    if (error instanceof ProblemError) return undefined;
    throw error;
  }
}

/** Nobody can approve what they may not do themselves. They may be able to do more: `trash purge` takes what one owns. */
async function requireMayDoTheSame(
  context: CommandContext,
  approval: Approval,
  asAgent: Rehearsal,
): Promise<void> {
  const { actor, caller } = context;
  const as = { actor, scopes: caller.scopes, inSession: false };
  const own = await context.rehearse({ ...callOf(approval), as });
  const possible = new Set(own.does);
  if (asAgent.does.every((each) => possible.has(each))) return;
  throw new ProblemError("not_permitted", "You cannot approve what you may not do yourself.", {
    hint: "Ask somebody who can, or deny it.",
  });
}

function callOf({ command, arguments: given, workspace }: Approval) {
  return { command, arguments: given, workspace: workspace ?? undefined };
}
