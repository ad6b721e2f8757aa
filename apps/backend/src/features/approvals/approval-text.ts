import { plainText } from "@svc/rendering/styled-text";
import { toTerminalLine } from "@svc/rendering/terminal-text";
import { exactTimeIn, type View } from "@svc/rendering/view";
import { wrapText } from "@svc/rendering/wrap-text";
import type { z } from "zod";
import type { ApprovalView } from "./approvals.ts";

export function approvalText(
  approval: z.output<typeof ApprovalView> & { shown: string },
  view: View,
): string {
  const { id, origin, state, askedBy, onBehalfOf, expiresAt, decidedBy } = approval;
  const person = onBehalfOf === undefined ? "" : ` for ${toTerminalLine(onBehalfOf)}`;
  const decided = decidedBy === undefined ? "" : ` by ${toTerminalLine(decidedBy)}`;
  const ways =
    origin === "question"
      ? [`Answer with: svc approvals answer ${id} 'your answer'`]
      : [`Decide with: svc approvals approve ${id}`];
  return [
    `${toTerminalLine(askedBy)}${person} ${origin === "question" ? "asks" : "wants to run"}:`,
    ...quoted(approval.shown, view),
    ...(state === "pending"
      ? [`It waits until ${exactTimeIn(view, expiresAt)}.`, ...ways, `         or: svc approvals deny ${id}`]
      : [`State: ${state}${decided}${outcomeOf(approval)}`]),
  ].join("\n");
}

function outcomeOf({ reason, answer }: z.output<typeof ApprovalView>): string {
  if (answer !== undefined) return `. Answer: ${toTerminalLine(answer)}`;
  return reason === undefined ? "" : `. Reason: ${toTerminalLine(reason)}`;
}

const quote = "  > ";

/** Every line of the agent is marked, also if it is wrapped, so that none can pass for ours. */
function quoted(shown: string, { columns }: View): string[] {
  return shown
    .split("\n")
    .flatMap((line) =>
      columns === undefined ? [line] : plainText(wrapText([line], columns - quote.length)).split("\n"),
    )
    .map((line) => `${quote}${line}`);
}
