import type { Run } from "@svc/protocol/styles";
import { paint } from "@svc/rendering/paint";
import { joinLines, safeRuns, type Text } from "@svc/rendering/styled-text";
import { wrapText } from "@svc/rendering/wrap-text";
import type { Refusal } from "../network/service.ts";
import type { Terminal } from "../terminal.ts";
import { pointedLine } from "./pointed-line.ts";

/** What went wrong, the wrong words in their line, and what to do. */
export function failureScreen(
  said: readonly (readonly [label: string, text: string])[],
  refusal: Refusal | undefined,
  { columns = 80, colours }: Pick<Terminal, "columns" | "colours">,
): string {
  const words = new Set<unknown>(refusal?.problem.violations?.map(({ word }) => word));
  const argv = refusal?.argv ?? [];
  const pointed = argv.some((_, index) => words.has(index)) ? pointedLine(argv, words, columns) : [];
  const [first = [], ...others] = said.map(([label, text], index): Text => {
    const name: Run = [index === 0 ? "bad" : "head", label];
    return wrapText(safeRuns([name, ` ${text}`]), columns);
  });
  return paint([...joinLines([first, ...pointed, ...others]), "\n"], colours.error);
}
