import type { Change, ResultAnswer } from "@svc/protocol/exchange";
import type { Run } from "@svc/protocol/styles";
import { changeText } from "@svc/rendering/change-text";
import { layOutTable, type Row } from "@svc/rendering/render-table";
import { joinLines, joinRuns, plainText, safeRuns, type Text } from "@svc/rendering/styled-text";
import { piped, type View } from "@svc/rendering/view";
import { wrapText } from "@svc/rendering/wrap-text";
import type { CommandFacts } from "./catalog.ts";
import type { Outcome } from "./dispatch.ts";
import { outcomeForPeople } from "./outcome-for-people.ts";
import { terminalTable } from "./terminal-table.ts";

/** The answer to one call, in the form that the caller wants: text to read, or data to work with. */
export function renderOutcome(
  command: CommandFacts,
  outcome: Outcome,
  options: {
    want: "text" | "data";
    view?: View | undefined;
    /** Whether the reader paints styles. */
    isStyled?: boolean | undefined;
    notices?: readonly string[] | undefined;
    /** The line that shows the next page. */
    nextLine?: string | undefined;
    /** The line that does what a preview with this token shows. */
    confirmLine?: ((token: string) => string) | undefined;
  },
): ResultAnswer {
  return {
    kind: "result",
    exitCode: outcome.committed || command.effect === "read" ? (command.exitCode?.(outcome.data) ?? 0) : 0,
    ...(options.want === "text"
      ? inForm(outcomeText(command, outcomeForPeople(outcome), options), options.isStyled)
      : { data: outcome.data, ...(command.columns.length === 0 ? {} : { columns: [...command.columns] }) }),
    committed: outcome.committed,
    ...(outcome.preview === undefined ? {} : { preview: outcome.preview }),
    ...(outcome.operation === undefined ? {} : { operation: outcome.operation }),
    notices: [...(options.notices ?? [])],
  };
}

/** A text has one form: with styles for those who paint them, plain for others. */
export function inForm(text: readonly Run[], isStyled = false): { styled: Run[] } | { text: string } {
  return isStyled ? { styled: joinRuns(text) } : { text: plainText(text) };
}

/** As wide as the terminal, if there is one. */
export function wrappedFor({ columns }: View, text: Text): Run[] {
  return columns === undefined ? safeRuns(text) : wrapText(safeRuns(text), columns);
}

function outcomeText(
  { presentation, columns }: CommandFacts,
  outcome: Outcome,
  { view = piped, nextLine, confirmLine }: Omit<Parameters<typeof renderOutcome>[2], "want">,
): Run[] {
  const wrapped = (text: Text) => wrappedFor(view, text);
  if (outcome.preview) {
    const plan = presentation.as === "text" ? presentation.plan?.(outcome.data) : undefined;
    const { changes, token } = outcome.preview;
    const line = confirmLine?.(token) ?? `--confirm ${token}`;
    // A line to paste stays one line.
    const goAhead: Run[][] = changes.length === 0 ? [] : [["Go ahead with: ", ["cmd", line]]];
    return joinLines([wrapped(previewText(changes, plan)), ...goAhead]);
  }
  const parts: Run[][] = [];
  if (presentation.as === "text") {
    const text = presentation.text(outcome.data, view);
    parts.push(presentation.isVerbatim ? safeRuns(text) : wrapped(text));
  }
  if (presentation.as === "table") {
    const { items: rows = [] } = outcome.data as TableData;
    if (presentation.text) parts.push(wrapped(presentation.text(outcome.data, view)));
    else if (rows.length === 0) parts.push(wrapped(presentation.empty));
    else if (view.columns === undefined) parts.push(pipedTable(rows, columns));
    else {
      const shown = presentation.columnsOf?.(outcome.data) ?? presentation.columns;
      const summary = presentation.summary?.(outcome.data);
      parts.push(terminalTable({ rows, columns: shown, summary }, view));
    }
    if (nextLine !== undefined) parts.push(["more: ", ["cmd", nextLine]]);
  }
  if (outcome.operation !== undefined) {
    const word = (presentation.as === "text" && presentation.undoWord?.(outcome.data)) || "Undo";
    parts.push([`${word}: `, ["cmd", `svc undo ${outcome.operationEnd ?? outcome.operation}`]]);
  }
  return joinLines(parts);
}

/** Every column, as it is. */
function pipedTable(rows: readonly Row[], columns: CommandFacts["columns"]): Run[] {
  const { heading, lines } = layOutTable(rows, columns, {});
  return joinLines([heading, ...lines]);
}

/** The result of a command with `presentation: { as: "table" }`. */
export interface TableData {
  items?: readonly Record<string, unknown>[];
  nextCursor?: string;
}

/** Below a plan. */
const mostListed = 20;

const actionStyles = { create: "good", update: "warn", delete: "bad" } as const;

function previewText(changes: readonly Change[], plan: string | undefined): Run[] {
  const listed = plan === undefined ? changes : changes.slice(0, mostListed);
  const more = changes.length - listed.length;
  return joinLines([
    ...(plan === undefined ? [] : [plan]),
    changes.length === 0
      ? "Preview: no changes to apply."
      : "Preview: nothing has been changed yet. It would",
    ...listed.map(
      (change): Text => ["  ", [actionStyles[change.action], change.action], ` ${changeText(change)}`],
    ),
    ...(more > 0 ? [`  and make ${more} more changes`] : []),
  ]);
}
