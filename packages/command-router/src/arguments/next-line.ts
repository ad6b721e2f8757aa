import { shellWord } from "@svc/protocol/shell-word";
import { toTerminalLine } from "@svc/rendering/terminal-text";

/** The line to paste for the next page: the same words, with the new cursor in place of the old one. */
export function nextLine(argv: readonly string[], cursor: string): string {
  return lineWith(argv, "--cursor", cursor);
}

/** The line to paste after a preview: the same words, without what made it one. */
export function confirmLine(argv: readonly string[], token: string): string {
  return lineWith(argv, "--confirm", token, "--dry-run");
}

function lineWith(argv: readonly string[], flag: string, value: string, without?: string): string {
  const { before, after } = withoutFlags(argv, flag, without);
  const line = ["svc", ...before, flag, value, ...after].map(shellWord).join(" ");
  // A shell would not read what the screen shows.
  return toTerminalLine(line) === line
    ? line
    : `the same line with ${flag} ${toTerminalLine(shellWord(value))}`;
}

/** Words behind `--` are values. */
function withoutFlags(
  argv: readonly string[],
  flag: string,
  without: string | undefined,
): { before: string[]; after: string[] } {
  const before: string[] = [];
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? "";
    if (word === "--") return { before, after: argv.slice(index) };
    if (word === flag) index += 1;
    else if (!isFlag(word, without) && !word.startsWith(`${flag}=`)) before.push(word);
  }
  return { before, after: [] };
}

function isFlag(word: string, flag: string | undefined): boolean {
  return flag !== undefined && (word === flag || word.startsWith(`${flag}=`));
}
