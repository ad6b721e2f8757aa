import { shellWord } from "@svc/protocol/shell-word";
import { toTerminalLine } from "@svc/rendering/terminal-text";
import { widthOf } from "@svc/rendering/width";

/** The line to paste and correct, with carets below its wrong words. Nothing if it would wrap or holds odd characters. */
export function pointedLine(argv: readonly string[], wrong: ReadonlySet<unknown>, columns: number): string[] {
  let [line, carets] = ["  svc", ""];
  for (const [index, word] of argv.entries()) {
    const shown = shellWord(word);
    if (wrong.has(index)) carets = `${carets.padEnd(widthOf(line) + 1)}${"^".repeat(widthOf(shown))}`;
    line += ` ${shown}`;
  }
  const isShown = widthOf(line) <= columns && toTerminalLine(line) === line;
  return isShown ? [line, carets] : [];
}
