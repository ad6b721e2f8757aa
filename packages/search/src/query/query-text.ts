import { guessLanguage } from "../analyser/guess-language.ts";
import { normaliseWord } from "../analyser/normalise-word.ts";
import { scanWords } from "../analyser/scan-words.ts";
import { splitQuery } from "./split-query.ts";

/** Longer ones are a text: what it is about is said by then. */
const mostCharacters = 2_000;

/** What is embedded of a query: its words as they were typed, without operators and what they exclude. */
export function queryText(query: string): string {
  return splitQuery(query.slice(0, mostCharacters).toWellFormed())
    .filter(({ filter, isExcluded }) => !filter && !isExcluded)
    .map(({ text }) => text)
    .join(" ");
}

/**
 * Whether it may be in one of these languages, as far as its function words and letters tell. A model that knows English
 * alone finds nothing but noise for the others.
 */
export function mayBeIn(text: string, languages: readonly string[]): boolean {
  const words = [...scanWords(text)].map((word) => normaliseWord(word.text));
  const guess = guessLanguage(words);
  if (guess) return guess.languages.some((language) => languages.includes(language));
  if (!languages.includes("en")) return true;
  const foreign = text.match(/[^\P{L}a-z]/giu)?.length ?? 0;
  return foreign === 0 || foreign < 0.05 * text.length;
}
