import { distance } from "fastest-levenshtein";

/** The word that was probably meant, or undefined where nothing is near. */
export function suggest(typed: string, known: readonly string[]): string | undefined {
  const lower = typed.toLowerCase().slice(0, 64);
  const limit = Math.max(1, Math.floor(lower.length / 3));
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const word of known) {
    const apart = word.startsWith(lower) && lower.length >= 3 ? 1 : distance(lower, word);
    if (apart < bestDistance) {
      best = word;
      bestDistance = apart;
    }
  }
  return best;
}

export function didYouMean(typed: string, known: readonly string[]): { hint?: string } {
  const word = suggest(typed, known);
  return word === undefined ? {} : { hint: `Did you mean \`${word}\`?` };
}
