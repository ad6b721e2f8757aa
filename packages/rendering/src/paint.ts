import type { Run, Style } from "@svc/protocol/styles";
import { toTerminalText } from "./terminal-text.ts";

/**
 * Of the 16 colours only magenta and bright red are legible on every usual background, dark or light (ADR 62); bold and
 * underlined do the rest.
 */
export const codes: Record<Style, string> = {
  head: "1",
  folder: "1;35",
  match: "1;4",
  good: "1",
  warn: "35",
  bad: "1;91",
  cmd: "35",
};

/** The only escape sequences that svc prints in texts are these. Each line ends as it began, whatever follows. */
export function paint(runs: readonly Run[], isColoured: boolean): string {
  return runs.map((run) => paintRun(run, isColoured)).join("");
}

function paintRun(run: Run, isColoured: boolean): string {
  if (typeof run === "string") return toTerminalText(run);
  const [style, text] = run;
  const code = isColoured ? codeOf(style) : undefined;
  if (code === undefined) return toTerminalText(text);
  return toTerminalText(text).replace(/[^\n]+/g, (line) => `\u001b[${code}m${line}\u001b[0m`);
}

function codeOf(style: string): string | undefined {
  return Object.hasOwn(codes, style) ? codes[style as Style] : undefined;
}
