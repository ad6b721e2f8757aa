import type { z } from "zod";
import { type Approval, decideApproval, findApproval } from "../../platform/approvals/approvals-store.ts";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { type ApprovalView, approvalView, whose } from "./approvals.ts";

/** Records what a person decided, for the asking actor and for the audit log. */
export async function decide(
  context: CommandContext,
  approval: Approval,
  decision: Parameters<typeof decideApproval>[2],
): Promise<z.output<typeof ApprovalView>> {
  const { transaction } = context;
  await decideApproval(transaction, approval.id, decision);
  const { id: name, state } = approvalView(approval);
  context.recordChange({
    action: "update",
    type: "approval",
    name,
    version: 1,
    before: { state },
    after: { state: decision.state },
  });
  const decided = await findApproval(transaction, await whose(context), approval.id, "look");
  if (!decided) throw new Error(`${name} is gone although it is locked`);
  return approvalView(decided);
}
