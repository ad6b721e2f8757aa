import type { ShellLine } from "./shell-line.ts";

/**
 * A whole word as it has to stand in the line, from where the shell replaces it; undefined if it cannot take that place.
 * A finished word has a space behind it, a folder or the beginning of an address has none. fish quotes by itself.
 */
export function shellCandidate(
  { shell, kept, quote }: Pick<ShellLine, "shell" | "kept" | "quote">,
  word: string,
): string | undefined {
  if (shell === "fish") return word;
  if (!word.startsWith(kept)) return undefined;
  const rest = word.slice(kept.length);
  const end = /[/:=]$/.test(word) ? "" : " ";
  if (quote === "") return `${escaped(rest, kept === "")}${end}`;
  // bash closes the quote itself. Behind a folder zsh leaves it open, for what follows.
  const close = shell === "bash" || end === "" ? "" : `${quote}${end}`;
  if (quote === "'") return `${rest.replaceAll("'", "'\\''")}${close}`;
  // Shells look for `!` within double quotes, even behind a backslash.
  return `${rest.replaceAll(/["\\$`]/g, "\\$&").replaceAll("!", `"'!'"`)}${close}`;
}

/** A shell expands a leading `~/` to the home folder, which is meant, and zsh a leading `=`, which is not. */
function escaped(text: string, isStart: boolean): string {
  if (isStart && text.startsWith("~/")) return `~/${escaped(text.slice(2), false)}`;
  return text.replaceAll(/[^\p{L}\p{M}\p{N}_@%+=:,./-]|^=/gu, "\\$&");
}
