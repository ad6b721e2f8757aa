import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { approvalText } from "../approval-text.ts";
import { ApprovalId, ApprovalView, approvalView, requireApproval } from "../approvals.ts";

export default defineCommand({
  summary: "Show what an AI member wants to do or know",
  category: "Agents",
  keywords: ["pending", "request", "what does it want", "answer to a question"],
  effect: "read",
  agents: "searchable",
  reach: "inside",
  scopes: ["approvals:read"],
  arguments: z.strictObject({ approval: ApprovalId }),
  positionals: ["approval"],
  shows: "approval",
  result: ApprovalView.extend({
    shown: z.string().describe("What would run, with the agent's words as arguments, or its question"),
  }),
  presentation: { as: "text", text: approvalText },
  examples: [{ command: "approvals show appr_01h455vb4pex5vsknk084sn02q", note: "Before you decide" }],
  failures: ["not_found"],
  async run(context, { approval: target }) {
    const approval = await requireApproval(context, target);
    return { ...approvalView(approval), shown: approval.shown };
  },
});
