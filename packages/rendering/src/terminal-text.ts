/**
 * Names and titles come from other people and end up on somebody's terminal, so nothing that a terminal obeys or
 * hides gets through: C0 except newline and tab, DEL, C1, bidirectional and invisible characters, lone surrogates.
 * They are shown as \u{…}, so that the reader sees that something is there. Variation selectors stay: they only
 * choose among forms of the character before them, as in ❤️ and in Japanese names.
 */
export const forbidden =
  /[[\p{Control}\p{Surrogate}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]--[\n\t\p{Variation_Selector}]]/gv;

/** Most text is plain ASCII and needs no Unicode tables, which took a tenth of the time of a list. */
const plain = /^[\n\t -~]*$/;

export function toTerminalText(text: string): string {
  if (plain.test(text)) return text;
  return text.replace(forbidden, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** For one line of a table or a message: newline and tab would break its layout. */
export function toTerminalLine(text: string): string {
  return toTerminalText(text).replace(/[\n\t]/g, (character) => (character === "\n" ? "\\n" : "\\t"));
}
