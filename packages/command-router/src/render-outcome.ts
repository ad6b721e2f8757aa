import type { Change, ResultAnswer } from "@svc/protocol/exchange";
import type { Run } from "@svc/protocol/styles";
import { changeText } from "@svc/rendering/change-text";
import { layOutTable, type Row } from "@svc/rendering/render-table";
import { joinLines, joinRuns, plainText, safeRuns, type Text } from "@svc/rendering/styled-text";
import { piped, type View } from "@svc/rendering/view";
import { wrapText } from "@svc/rendering/wrap-text";
import { type Fence, newFence } from "./agents/fence.ts";
import { untrustedIn, withLabels } from "./agents/untrusted.ts";
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
    /** Whose words are not ours is marked, because a model reads them. */
    isForAgent?: boolean | undefined;
  },
): ResultAnswer {
  return {
    kind: "result",
    exitCode: outcome.committed || command.effect === "read" ? (command.exitCode?.(outcome.data) ?? 0) : 0,
    ...(options.want === "text"
      ? inForm(outcomeText(command, outcomeForPeople(outcome), options), options.isStyled)
      : {
          data: dataFor(command, outcome, options.isForAgent),
          ...(command.columns.length === 0 ? {} : { columns: [...command.columns] }),
        }),
    committed: outcome.committed,
    ...(outcome.preview === undefined ? {} : { preview: outcome.preview }),
    ...(outcome.operation === undefined ? {} : { operation: outcome.operation }),
    notices: [...(options.notices ?? [])],
  };
}

function dataFor(command: CommandFacts, { data, preview }: Outcome, isForAgent = false): unknown {
  const hasPreview = preview !== undefined && preview.changes.length > 0;
  return isForAgent ? withLabels(command, data, { hasPreview }) : data;
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
  command: CommandFacts,
  outcome: Outcome,
  { view = piped, nextLine, confirmLine, isForAgent }: Omit<Parameters<typeof renderOutcome>[2], "want">,
): Run[] {
  const { presentation } = command;
  const wrapped = (text: Text) => wrappedFor(view, text);
  const fence = isForAgent ? newFence() : undefined;
  if (outcome.preview) {
    const plan = presentation.as === "text" ? presentation.plan?.(outcome.data) : undefined;
    const { changes, token } = outcome.preview;
    const line = confirmLine?.(token) ?? `--confirm ${token}`;
    // A line to paste stays one line.
    const goAhead: Run[][] = changes.length === 0 ? [] : [["Go ahead with: ", ["cmd", line]]];
    // The lines of a fence stay whole, whatever the width.
    const theirs: Fence = (text) => (fence ? fence(wrapped(text)) : wrapped(text));
    return joinLines([...previewText(changes, plan, { ours: wrapped, theirs }), ...goAhead]);
  }
  const isOurs = !fence || untrustedIn(command, outcome.data).length === 0;
  const body = bodyText(command, outcome.data, view);
  const parts = body === undefined ? [] : [isOurs ? body : fence(body)];
  const { nextOffset } = Object(outcome.data) as { nextOffset?: number };
  if (fence && nextOffset !== undefined) parts.push([`more: the same with --offset ${nextOffset}`]);
  if (presentation.as === "table" && nextLine !== undefined) parts.push(["more: ", ["cmd", nextLine]]);
  if (outcome.operation !== undefined) {
    const word = (presentation.as === "text" && presentation.undoWord?.(outcome.data)) || "Undo";
    parts.push([`${word}: `, ["cmd", `svc undo ${outcome.operationEnd ?? outcome.operation}`]]);
  }
  return joinLines(parts);
}

/** What the command has to say, without what every command may add. */
function bodyText({ presentation, columns }: CommandFacts, data: unknown, view: View): Run[] | undefined {
  if (presentation.as === "file") return undefined;
  if (presentation.as === "text") {
    const text = presentation.text(data, view);
    return presentation.isVerbatim ? safeRuns(text) : wrappedFor(view, text);
  }
  const { items: rows = [] } = data as TableData;
  if (presentation.text) return wrappedFor(view, presentation.text(data, view));
  if (rows.length === 0) return wrappedFor(view, presentation.empty);
  if (view.columns === undefined) return pipedTable(rows, columns);
  const shown = presentation.columnsOf?.(data) ?? presentation.columns;
  return terminalTable({ rows, columns: shown, summary: presentation.summary?.(data) }, view);
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

function previewText(
  changes: readonly Change[],
  plan: string | undefined,
  { ours, theirs }: Record<"ours" | "theirs", Fence>,
): Run[][] {
  const shownPlan = plan === undefined ? [] : [theirs(plan)];
  if (changes.length === 0) return [...shownPlan, ours("Preview: no changes to apply.")];
  const listed = plan === undefined ? changes : changes.slice(0, mostListed);
  const more = changes.length - listed.length;
  const lines = listed.map(
    (change): Text => ["  ", [actionStyles[change.action], change.action], ` ${changeText(change)}`],
  );
  return [
    ...shownPlan,
    ours("Preview: nothing has been changed yet. It would"),
    theirs(joinLines(lines)),
    ...(more > 0 ? [ours(`  and make ${more} more changes`)] : []),
  ];
}
