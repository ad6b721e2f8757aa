/**
 * One word of a line to paste, the same in sh, bash, zsh and fish. Letters of any language are plain words; zsh expands
 * a leading `=`, and fish reads a backslash within quotes.
 */
export function shellWord(word: string): string {
  return /^[\p{L}\p{N}_@%+:,./-][\p{L}\p{M}\p{N}_@%+=:,./-]*$/u.test(word)
    ? word
    : `'${word.replaceAll(/['\\]/g, (sign) => `'\\${sign}'`)}'`;
}
