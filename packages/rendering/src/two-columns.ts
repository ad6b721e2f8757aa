import type { Run } from "@svc/protocol/styles";
import { linesOf, safeRuns, type Text, textOf } from "./styled-text.ts";
import { widthOf } from "./width.ts";
import { wrapText } from "./wrap-text.ts";

/** Beside something wider the right side goes below it. */
const widestLeft = 34;

/** Two columns, indented by two; the right one wraps within itself. */
export function twoColumns(rows: readonly (readonly [left: Run, right: Text])[], columns: number): Run[][] {
  const widths = rows.map(([left]) => widthOf(textOf(left)));
  const most = Math.min(widestLeft, Math.floor(columns / 2));
  const indent = Math.max(0, ...widths.filter((width) => width <= most)) + 4;
  return rows.flatMap(([left, right], index) => {
    const own = widths[index] ?? 0;
    const lines = linesOf(wrapText(safeRuns(right), columns - indent));
    if (own + 4 > indent) {
      const above = linesOf(wrapText(["  ", left], columns));
      return [...above, ...lines.map((line): Run[] => [" ".repeat(indent), ...line])];
    }
    return lines.map((line, at): Run[] =>
      at === 0 ? ["  ", left, " ".repeat(indent - own - 2), ...line] : [" ".repeat(indent), ...line],
    );
  });
}
