/**
 * Names and titles come from other people and end on somebody's terminal, so nothing that a terminal obeys or
 * hides passes: C0 except newline and tab, DEL, C1, bidirectional and invisible controls, lone surrogates.
 * They are shown as \u{…}, so that the reader sees that something is there.
 */
const forbidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: naming control characters is its purpose
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|\p{Surrogate}/gu;

export function toTerminalText(text: string): string {
  return text.replace(forbidden, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** For one line of a table or a message: newline and tab would break its layout. */
export function toTerminalLine(text: string): string {
  return toTerminalText(text).replace(/[\n\t]/g, (character) => (character === "\n" ? "\\n" : "\\t"));
}
