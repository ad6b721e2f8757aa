/** A run of letters, marks and numbers, or one emoji, with its position in the original text (UTF-16 offsets). */
export interface ScannedWord {
  text: string;
  start: number;
  end: number;
  /** In a script without spaces between words, such a run is a phrase or a sentence, not a word. */
  isDense: boolean;
}

/**
 * The original text is scanned and then normalised word by word, so that a snippet has true offsets. Two blocks of
 * symbols are included because NFKC makes words of them: ㈱, ㌔, ㎏, №. Joiners and soft hyphens occur inside words. An
 * English ending after an apostrophe belongs to its word: as a separate word, the s of "patient's" would be found
 * with the S of "protein S", and dropping single letters loses "T cells" (scifact 0.691 with them, 0.686 without).
 * Three signs belong to their word as well: C++, C#, .NET. Not a single plus: Na+ is written Na, too.
 */
const denseScripts = String.raw`[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmr}\p{scx=Mymr}]`;
const wordCharacters = String.raw`[\p{L}\p{M}\p{N}\u{ad}\u{200c}\u{200d}\u{2100}-\u{214f}\u{3200}-\u{33ff}]`;
const dense = String.raw`[${denseScripts}&&[\p{L}\p{M}\p{N}]]`;
const word = `[${wordCharacters}--${dense}]`;
const englishEnding = `(?:['’](?:[stdmSTDM]|ll|re|ve|LL|RE|VE)(?!${word}))?`;
const signAfter = String.raw`(?:(?<=[A-Za-z])(?:\+\+|#(?![\p{L}\p{N}#])))?`;
const dotBefore = String.raw`(?:(?<![^\s\(\["'“„«,;:\/])\.(?=\p{L}))?`;
/** Without signs of trade, arrows and shapes, which are bullets or belong to a word. */
const picture = String.raw`[\p{Extended_Pictographic}--[©®\u{2100}-\u{214f}\u{2190}-\u{21ff}\u{25a0}-\u{25ff}\u{3200}-\u{33ff}]]`;
const variant = String.raw`[\u{fe0f}\p{Emoji_Modifier}]*`;
const emoji = String.raw`${picture}${variant}(?:\u{200d}${picture}${variant})*|\p{Regional_Indicator}{2}`;
const scanner = new RegExp(`(${dense}+)|${emoji}|${dotBefore}${word}+${englishEnding}${signAfter}`, "gv");

const startsWithEmoji = new RegExp(`^(?:${emoji})`, "v");

/** Of a scanned word. */
export function isEmoji(word: string): boolean {
  return startsWithEmoji.test(word);
}

export function* scanWords(text: string, start = 0): Generator<ScannedWord> {
  // The position is kept here, not in the expression: scans are nested, and some end early.
  let end = start;
  while (true) {
    scanner.lastIndex = end;
    const found = scanner.exec(text);
    if (!found) return;
    end = scanner.lastIndex;
    yield { text: found[0], start: found.index, end, isDense: found[1] !== undefined };
  }
}
