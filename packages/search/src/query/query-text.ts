import { guessLanguage } from "../analyser/guess-language.ts";
import { normaliseWord } from "../analyser/normalise-word.ts";
import { scanWords } from "../analyser/scan-words.ts";
import { splitQuery } from "./split-query.ts";

/** A longer query is a text, whose topic is clear by then. */
const mostCharacters = 2_000;

/** The text of a query to embed: its words as typed, without operators and excluded words. */
export function queryText(query: string): string {
  return splitQuery(query.slice(0, mostCharacters).toWellFormed())
    .filter(({ filter, isExcluded }) => !filter && !isExcluded)
    .map(({ text }) => text)
    .join(" ");
}

/**
 * Whether it may be in one of these languages, as far as its function words and letters tell. A model that knows only
 * English finds nothing but noise in other languages.
 */
export function mayBeIn(text: string, languages: readonly string[]): boolean {
  const words = [...scanWords(text)].map((word) => normaliseWord(word.text));
  const guess = guessLanguage(words);
  if (guess) return guess.languages.some((language) => languages.includes(language));
  if (!languages.includes("en")) return true;
  const foreign = text.match(/[^\P{L}a-z]/giu)?.length ?? 0;
  return foreign === 0 || foreign < 0.05 * text.length;
}
