import { z } from "zod";
import { approvalStates, listApprovals } from "../../../platform/approvals/approvals-store.ts";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { pageArguments, pageOf, pageView, readPage } from "../../../platform/commands/page.ts";
import { ApprovalView, approvalView, whose } from "../approvals.ts";

export default defineCommand({
  summary: "List what AI members want to do or know, newest first",
  description:
    "Shows people what waits for their decision or answer: owners that of their workspaces, administrators everything. " +
    "AI members see what they asked for.",
  category: "Agents",
  keywords: ["pending", "waiting", "requests", "consent", "questions"],
  effect: "read",
  agents: "searchable",
  reach: "inside",
  scopes: ["approvals:read"],
  arguments: z.strictObject({
    state: z.enum(approvalStates).default("pending").describe("Only those in this state"),
    ...pageArguments,
    cursor: z.uuid().optional().describe("Where to continue, from `nextCursor` of the previous page"),
  }),
  result: pageOf(ApprovalView),
  presentation: {
    as: "table",
    columns: [
      { field: "id", label: "Id", priority: 9 },
      { field: "askedBy", label: "Who asks", priority: 7 },
      { field: "command", label: "Command", priority: 8 },
      { field: "question", label: "Question", priority: 6 },
      { field: "state", label: "State", priority: 6 },
      { field: "expiresAt", label: "Until", priority: 5, as: "time" },
      { field: "createdAt", label: "Since", priority: 2, as: "time" },
      { field: "decidedBy", label: "Decided by", priority: 4 },
      { field: "reason", label: "Reason", priority: 3 },
      { field: "answer", label: "Answer", priority: 3 },
    ],
    empty: "Nothing waits for a decision.",
  },
  examples: [
    { command: "approvals list", note: "What waits for you" },
    { command: "approvals list --state denied", note: "What people said no to" },
  ],
  failures: [],
  async run(context, { state, limit, cursor }) {
    const mine = await whose(context);
    const page = await readPage(limit, (most) =>
      listApprovals(context.transaction, mine, { state, limit: most, before: cursor }),
    );
    return pageView(page, approvalView, ({ id }) => id);
  },
});
