import { cutTerm } from "./cut-term.ts";
import { foldAccents, normaliseWord } from "./normalise-word.ts";
import { isEmoji } from "./scan-words.ts";

/** Of a scanned word whose signs are a part of it: C++, F#, .NET, .gitignore, 🚀. Undefined for all others. */
export function signTerm(word: string): string | undefined {
  // 👍 and 👍🏽, ❤ and ❤️ are the same.
  if (isEmoji(word)) return cutTerm(word.replace(/[\u200d\ufe0f]|\p{Emoji_Modifier}/gu, ""));
  return /^\.|\+\+$|#$/u.test(word) ? cutTerm(foldAccents(normaliseWord(word))) : undefined;
}

/** C for C++, so that it is found by its letters too. */
export function withoutSigns(word: string): string {
  return isEmoji(word) ? "" : word.replace(/^\.|\+\+$|#$/gu, "");
}
