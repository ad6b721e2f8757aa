import type { Change, ResultAnswer } from "@svc/protocol/exchange";
import { renderTable } from "@svc/rendering/render-table";
import { toTerminalLine, toTerminalText } from "@svc/rendering/terminal-text";
import type { CommandFacts } from "./catalog.ts";
import type { Outcome } from "./dispatch.ts";

/** The answer to one call, in the form that the caller wants: text to read, or data to work with. */
export function renderOutcome(
  command: CommandFacts,
  outcome: Outcome,
  options: {
    want: "text" | "data";
    terminalColumns?: number | undefined;
    notices?: readonly string[] | undefined;
  },
): ResultAnswer {
  return {
    kind: "result",
    exitCode: outcome.committed || command.effect === "read" ? (command.exitCode?.(outcome.data) ?? 0) : 0,
    ...(options.want === "text"
      ? { text: outcomeText(command, outcome, options.terminalColumns) }
      : { data: outcome.data, ...(command.columns.length === 0 ? {} : { columns: [...command.columns] }) }),
    committed: outcome.committed,
    ...(outcome.preview === undefined ? {} : { preview: outcome.preview }),
    ...(outcome.operation === undefined ? {} : { operation: outcome.operation }),
    notices: [...(options.notices ?? [])],
  };
}

function outcomeText(
  { presentation, columns }: CommandFacts,
  outcome: Outcome,
  terminalColumns: number | undefined,
): string {
  if (outcome.preview) {
    const plan = presentation.as === "text" ? presentation.plan?.(outcome.data) : undefined;
    return previewText(outcome.preview, plan);
  }
  const lines: string[] = [];
  if (presentation.as === "text") lines.push(toTerminalText(presentation.text(outcome.data)));
  if (presentation.as === "table") {
    const { items = [], nextCursor } = outcome.data as TableData;
    if (presentation.text) lines.push(toTerminalText(presentation.text(outcome.data)));
    else if (items.length === 0) lines.push(presentation.empty);
    else lines.push(renderTable(items, columns, terminalColumns));
    if (nextCursor !== undefined) lines.push(`(there is more: --cursor ${toTerminalLine(nextCursor)})`);
  }
  if (outcome.operation !== undefined) lines.push(`Undo: svc operations undo ${outcome.operation}`);
  return lines.join("\n");
}

/** The result of a command with `presentation: { as: "table" }`. */
interface TableData {
  items?: readonly Record<string, unknown>[];
  nextCursor?: string;
}

/** Below a plan. */
const mostListed = 20;

function previewText(
  { changes, token }: { changes: readonly Change[]; token: string },
  plan: string | undefined,
): string {
  const listed = plan === undefined ? changes : changes.slice(0, mostListed);
  const more = changes.length - listed.length;
  return [
    ...(plan === undefined ? [] : [toTerminalText(plan)]),
    changes.length === 0
      ? "Preview: no changes to apply."
      : "Preview: nothing has been changed yet. It would",
    ...listed.map((change) => `  ${changeLine(change)}`),
    ...(more > 0 ? [`  and make ${more} more changes`] : []),
    ...(changes.length === 0 ? [] : [`Go ahead with: --confirm ${token}`]),
  ].join("\n");
}

function changeLine({ action, type, name, before = {}, after = {} }: Change): string {
  const fields =
    action === "update" ? new Set([...Object.keys(before), ...Object.keys(after)]) : Object.keys(after);
  const details = [...fields].flatMap((field) => {
    const [old, now] = [show(before[field]), show(after[field])];
    if (action !== "update") return [`${field} ${now}`];
    return old === now ? [] : [`${field} ${old} → ${now}`];
  });
  return `${action} ${type} ${show(name)}${details.length > 0 ? `: ${details.join(", ")}` : ""}`;
}

function show(value: unknown): string {
  return toTerminalLine(JSON.stringify(value) ?? "nothing");
}
