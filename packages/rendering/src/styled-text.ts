import type { Run, Style } from "@svc/protocol/styles";
import { toTerminalText } from "./terminal-text.ts";

/** Text for people: plain, or with styles. */
export type Text = string | readonly Run[];

export function inStyle(style: Style, text: string): Run {
  return [style, text];
}

export function runsOf(text: Text): readonly Run[] {
  return typeof text === "string" ? [text] : text;
}

export function plainText(text: Text): string {
  return runsOf(text).map(textOf).join("");
}

export function textOf(run: Run): string {
  return typeof run === "string" ? run : run[1];
}

/** Whatever a terminal obeys is shown instead, run by run: nothing can reach from one into the next. */
export function safeRuns(text: Text): Run[] {
  return runsOf(text).map((run) =>
    typeof run === "string" ? toTerminalText(run) : [run[0], toTerminalText(run[1])],
  );
}

/** In as few runs as possible: plain neighbours become one, empty ones go. */
export function joinRuns(runs: readonly Run[]): Run[] {
  return joinLines([runs]);
}

/** The same for lines: a list has thousands of cells and few styles, so most of it is one string. */
export function joinLines(lines: readonly Text[]): Run[] {
  const joined: Run[] = [];
  let plain = "";
  let separator = "";
  for (const line of lines) {
    plain += separator;
    separator = "\n";
    if (typeof line === "string") {
      plain += line;
      continue;
    }
    for (const run of line) {
      if (typeof run === "string") {
        plain += run;
      } else if (run[1] !== "") {
        if (plain !== "") joined.push(plain);
        joined.push(run);
        plain = "";
      }
    }
  }
  if (plain !== "") joined.push(plain);
  return joined;
}

/** Each line with its own runs, without line ends. */
export function linesOf(text: Text): Run[][] {
  const lines: Run[][] = [[]];
  for (const run of runsOf(text)) {
    for (const [index, part] of textOf(run).split("\n").entries()) {
      if (index > 0) lines.push([]);
      if (part !== "") lines.at(-1)?.push(typeof run === "string" ? part : [run[0], part]);
    }
  }
  return lines;
}

export function sliceRuns(runs: readonly Run[], from: number, to: number): Run[] {
  let at = 0;
  return runs.flatMap((run): Run[] => {
    const text = textOf(run);
    const part = text.slice(Math.max(0, from - at), Math.max(0, to - at));
    at += text.length;
    return part === "" ? [] : [typeof run === "string" ? part : [run[0], part]];
  });
}
