import { type Change, Column, type ResultAnswer } from "@svc/protocol/exchange";
import { toTerminalLine, toTerminalText } from "@svc/protocol/terminal-text";
import type { Command } from "./catalog.ts";
import type { Outcome } from "./dispatch.ts";
import { renderTable } from "./render-table.ts";

/** The answer to one call: data for machines always, text where the caller wants to read. */
export function renderOutcome(
  command: Command<never> | Command,
  outcome: Outcome,
  options: { want: "text" | "data"; terminalColumns?: number; notices?: readonly string[] },
): ResultAnswer {
  const { presentation } = command;
  const columns =
    presentation.as === "table" ? presentation.columns.map((column) => Column.parse(column)) : undefined;
  return {
    kind: "result",
    exitCode: outcome.committed || command.effect === "read" ? (command.exitCode?.(outcome.data) ?? 0) : 0,
    ...(options.want === "text"
      ? { text: outcomeText(command, outcome, columns, options.terminalColumns) }
      : {}),
    data: outcome.data,
    ...(columns === undefined ? {} : { columns }),
    committed: outcome.committed,
    ...(outcome.preview === undefined ? {} : { preview: outcome.preview }),
    ...(outcome.operation === undefined ? {} : { operation: outcome.operation }),
    notices: [...(options.notices ?? [])],
  };
}

function outcomeText(
  command: Command<never> | Command,
  outcome: Outcome,
  columns: readonly Column[] | undefined,
  terminalColumns: number | undefined,
): string {
  if (outcome.preview) return previewText(outcome.preview);
  const { presentation } = command;
  if (presentation.as === "table") {
    const { items = [] } = outcome.data as { items?: Record<string, unknown>[] };
    return items.length === 0 ? presentation.empty : renderTable(items, columns ?? [], terminalColumns);
  }
  const text = presentation.as === "text" ? toTerminalText(presentation.text(outcome.data)) : "";
  return outcome.operation === undefined ? text : `${text}\nUndo: svc operations undo ${outcome.operation}`;
}

function previewText(preview: { changes: readonly Change[]; token: string }): string {
  const lines = preview.changes.map((change) => `  ${changeLine(change)}`);
  return [
    lines.length === 0
      ? "Preview: this would change nothing."
      : "Preview: nothing has been changed yet. It would",
    ...lines,
    ...(lines.length === 0 ? [] : [`Go ahead with: --confirm ${preview.token}`]),
  ].join("\n");
}

function changeLine({ action, type, name, before = {}, after = {} }: Change): string {
  const details =
    action === "update"
      ? Object.keys(after).map((field) => `${field} ${show(before[field])} → ${show(after[field])}`)
      : Object.entries(after).map(([field, value]) => `${field} ${show(value)}`);
  return `${action} ${type} ${show(name)}${details.length > 0 ? `: ${details.join(", ")}` : ""}`;
}

function show(value: unknown): string {
  return toTerminalLine(typeof value === "string" ? `"${value}"` : (JSON.stringify(value) ?? "nothing"));
}
