import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { ApprovalId, ApprovalView, requireUndecided } from "../approvals.ts";
import { decide } from "../decide.ts";

export default defineCommand({
  summary: "Say no to what an AI member asked for",
  category: "Agents",
  keywords: ["refuse", "reject", "forbid", "no"],
  effect: "write",
  agents: "never",
  reach: "inside",
  scopes: ["approvals:write"],
  arguments: z.strictObject({
    approval: ApprovalId,
    reason: z.string().min(1).max(1_000).optional().describe("What the AI member is told"),
  }),
  positionals: ["approval"],
  result: ApprovalView,
  presentation: {
    as: "text",
    text: ({ origin, askedBy, command }) =>
      origin === "question"
        ? `Denied: ${askedBy} gets no answer`
        : `Denied: ${askedBy} cannot run \`svc ${command}\``,
  },
  examples: [
    {
      command: "approvals deny appr_01h455vb4pex5vsknk084sn02q --reason unclear",
      note: "Tells the AI member why",
    },
  ],
  failures: ["not_found", "conflict"],
  async run(context, { approval: target, reason }) {
    const approval = await requireUndecided(context, target);
    return decide(context, approval, { state: "denied", reason });
  },
});
