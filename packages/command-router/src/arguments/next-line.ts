import { toTerminalLine } from "@svc/rendering/terminal-text";

/** The line to paste for the next page: the same words, with the new cursor in place of the old one. */
export function nextLine(argv: readonly string[], cursor: string): string {
  const { before, after } = withoutCursor(argv);
  const line = ["svc", ...before, "--cursor", cursor, ...after].map(toShellWord).join(" ");
  // A shell would not read what the screen shows.
  return toTerminalLine(line) === line
    ? line
    : `the same line with --cursor ${toTerminalLine(toShellWord(cursor))}`;
}

/** Words behind `--` are values. */
function withoutCursor(argv: readonly string[]): { before: string[]; after: string[] } {
  const before: string[] = [];
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? "";
    if (word === "--") return { before, after: argv.slice(index) };
    if (word === "--cursor") index += 1;
    else if (!word.startsWith("--cursor=")) before.push(word);
  }
  return { before, after: [] };
}

/** The same in sh, bash, zsh and fish. Letters of any language are plain words; zsh expands a leading `=`. */
function toShellWord(word: string): string {
  return /^[\p{L}\p{N}_@%+:,./-][\p{L}\p{M}\p{N}_@%+=:,./-]*$/u.test(word)
    ? word
    : `'${word.replaceAll("'", "'\\''")}'`;
}
