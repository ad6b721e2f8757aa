import { distance } from "fastest-levenshtein";

/** The word that was probably meant, or undefined if nothing is close. */
export function suggest(typed: string, words: readonly string[]): string | undefined {
  const lower = typed.toLowerCase().slice(0, 64);
  const limit = Math.max(1, Math.floor(lower.length / 3));
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const word of words) {
    const isBeginning = lower.length >= 3 && word.startsWith(lower);
    const apart = isBeginning || hasSwappedLetters(lower, word) ? 1 : distance(lower, word);
    if (apart < bestDistance) {
      best = word;
      bestDistance = apart;
    }
  }
  return best;
}

/** `mvoe` for `move`: one slip of the fingers, which Levenshtein counts as two. */
function hasSwappedLetters(typed: string, word: string): boolean {
  const at = [...word].findIndex((letter, index) => letter !== typed[index]);
  if (at === -1) return false;
  return typed === word.slice(0, at) + (word[at + 1] ?? "") + (word[at] ?? "") + word.slice(at + 2);
}

export function didYouMean(typed: string, words: readonly string[]): { hint?: string } {
  const word = suggest(typed, words);
  return word === undefined ? {} : { hint: `Did you mean \`${word}\`?` };
}

/** `max_tokens`, `max-tokens` and `maxTokens` are one name. */
export function letters(name: string): string {
  return name
    .slice(0, 64)
    .replaceAll(/[^\p{L}\p{N}]/gu, "")
    .toLowerCase();
}
