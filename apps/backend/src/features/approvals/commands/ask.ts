import { missingScopes } from "@svc/command-router/require-may-run";
import { ProblemError } from "@svc/protocol/problem";
import { toTerminalLine } from "@svc/rendering/terminal-text";
import { z } from "zod";
import { findApproval } from "../../../platform/approvals/approvals-store.ts";
import { askInWords } from "../../../platform/approvals/ask-people.ts";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { credentialKey } from "../../../platform/identity/caller.ts";
import { currentWorkspace } from "../../workspaces/workspaces.ts";
import { ApprovalView, approvalView, whose } from "../approvals.ts";

export default defineCommand({
  summary: "Ask a person a question",
  description:
    "For AI members and programs that are not sure what is meant. In a session, its person is asked; with --workspace, also its owners. " +
    "Administrators can always answer. `approvals show` shows the answer. An answer is not an approval.",
  category: "Agents",
  keywords: ["ask user", "clarify", "not sure", "which one", "question for a human"],
  effect: "write",
  agents: "searchable",
  reach: "inside",
  // Not `approvals:write`, with which people decide.
  scopes: ["questions:write"],
  arguments: z.strictObject({
    question: z.string().min(1).max(1_000).describe("What you want to know"),
    choice: z
      .array(z.string().min(1).max(100))
      .max(10)
      .default([])
      .describe("An answer to choose from; repeatable"),
  }),
  positionals: ["question"],
  result: ApprovalView,
  presentation: { as: "text", text: ({ id }) => `Asked. Read the answer with: svc approvals show ${id}` },
  examples: [
    {
      command: 'approvals ask "Which Anna?" --choice "Anna Berg" --choice "Anna Lindholm"',
      note: "With answers to choose from",
    },
  ],
  failures: ["not_found", "too_many_requests", "too_large", "usage"],
  async run(context, { question, choice }) {
    const { transaction, caller, inSession, namedWorkspace: workspace } = context;
    if (missingScopes(["approvals:read"], caller.scopes).length > 0) {
      throw new ProblemError(
        "not_permitted",
        "You could not read the answer without the scope approvals:read.",
      );
    }
    requireTypable(choice);
    const askedIn = workspace === undefined ? [] : [await currentWorkspace(context)];
    const call = {
      command: { path: "approvals ask" },
      arguments: {},
      ...{ workspace, inSession, scopes: caller.scopes },
    };
    const id = await askInWords(
      transaction,
      { call, askedWith: credentialKey(caller) },
      { question, choices: choice, workspaceIds: askedIn.map((each) => each.id) },
    );
    const asked = await findApproval(transaction, await whose(context), id, "look");
    if (!asked) throw new Error("a question is gone that was asked in this transaction");
    const view = approvalView(asked);
    context.recordChange({
      action: "create",
      type: "approval",
      name: question,
      after: { question, choices: choice },
    });
    return view;
  },
});

/** What nobody can type, nobody can choose. */
function requireTypable(choices: readonly string[]): void {
  const isTypable = (choice: string) => choice === choice.trim() && choice === toTerminalLine(choice);
  if (choices.every(isTypable) && new Set(choices).size === choices.length) return;
  throw new ProblemError("usage", "Each choice must be one line of visible text, different from the others.");
}
