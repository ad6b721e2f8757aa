type Quote = "" | "'" | '"';

/** A line up to the cursor, as its shell reads it. */
export interface ShellLine {
  shell: string;
  /** The words before the one at the cursor, without the program. */
  words: string[];
  /** What was typed of the word at the cursor, without its quotes. */
  word: string;
  /** How `word` begins, up to where the shell puts what it completes. */
  kept: string;
  /** The quote around what it completes. */
  quote: Quote;
}

/**
 * `hint` says where the shell puts what it completes. In bash it is COMP_WORDBREAKS: behind the last of these, or behind a
 * quote that is still open. In zsh it is QIPREFIX: behind this quote, which opened the word, or at its beginning.
 */
export function readShellLine(shell: string, hint: string, line: string): ShellLine {
  const words: string[] = [];
  const breaks = shell === "bash" ? hint : "";
  let [word, kept, isWord]: [string, string, boolean] = ["", "", false];
  let quote: Quote = "";
  let beforeQuote = "";
  const characters = [...line];
  for (let index = 0; index < characters.length; index += 1) {
    const character = characters[index] as string;
    const next = characters[index + 1] ?? "";
    if (quote === "" && isQuote(character)) {
      [quote, beforeQuote, isWord] = [character, word, true];
    } else if (character === quote) {
      quote = "";
    } else if (character === "\\" && escapes(quote, next)) {
      word += next;
      isWord = true;
      index += 1;
    } else if (quote === "" && /\s/.test(character)) {
      if (isWord) words.push(word);
      [word, kept, isWord] = ["", "", false];
    } else {
      const isBreak = quote === "" && breaks.includes(character);
      // What bash expands by itself is part of what it replaces.
      if (isBreak && "@$".includes(character)) kept = word;
      word += character;
      isWord = true;
      if (isBreak && !"@$".includes(character)) kept = word;
    }
  }
  const before = { shell, words: words.slice(1), word };
  if (shell === "zsh") return { ...before, kept: "", quote: isQuote(hint) ? hint : "" };
  return { ...before, kept: quote === "" || breaks === "" ? kept : beforeQuote, quote };
}

function isQuote(text: string): text is "'" | '"' {
  return text === "'" || text === '"';
}

/** At the end of the line, a backslash waits for its character. */
function escapes(quote: Quote, next: string): boolean {
  return quote === "" || (quote === '"' && next !== "" && '"\\$`'.includes(next));
}
