import { exitCode } from "@svc/protocol/exit-code";
import { ProblemError } from "@svc/protocol/problem";
import { toTerminalLine } from "@svc/rendering/terminal-text";
import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { readAsking } from "../../../platform/identity/sessions-store.ts";
import { ApprovalId, ApprovalView, Question, requireUndecided } from "../approvals.ts";
import { decide } from "../decide.ts";

export default defineCommand({
  summary: "Answer a question of an AI member",
  description:
    "It reads the answer with `approvals show`. If the question has answers to choose from, give one of them. An answer is not an approval.",
  category: "Agents",
  keywords: ["reply", "respond", "ask user"],
  effect: "write",
  agents: "never",
  reach: "inside",
  scopes: ["approvals:write"],
  arguments: z.strictObject({
    approval: ApprovalId,
    answer: z.string().min(1).max(1_000).describe("What the AI member is told"),
  }),
  positionals: ["approval", "answer"],
  result: ApprovalView,
  presentation: {
    as: "text",
    text: ({ state, askedBy }) =>
      state === "answered"
        ? `Answered: ${askedBy} can read it now`
        : `Withdrawn: ${askedBy} is no longer there`,
  },
  exitCode: ({ state }) => (state === "answered" ? exitCode.done : exitCode.failedCheck),
  examples: [
    {
      command: 'approvals answer appr_01h455vb4pex5vsknk084sn02q "Anna Berg"',
      note: "After `approvals show`",
    },
  ],
  failures: ["not_found", "conflict", "usage"],
  async run(context, { approval: target, answer }) {
    const approval = await requireUndecided(context, target, "question");
    const { choices } = Question.parse(approval.arguments);
    if (choices.length > 0 && !choices.includes(answer)) {
      throw new ProblemError("usage", "This is not one of the answers to choose from.", {
        hint: `Choose one: ${choices.map((choice) => `\`${toTerminalLine(choice)}\``).join(", ")}.`,
      });
    }
    const { actorId, askedWith: credential } = approval;
    if (!(await readAsking(context.transaction, { actorId, credential }))) {
      return decide(context, approval, { state: "withdrawn" });
    }
    return decide(context, approval, { state: "answered", reason: answer });
  },
});
