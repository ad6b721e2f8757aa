import { stopwords as englishStops } from "@orama/stopwords/english";
import { type Language, latinLanguages } from "./latin-languages.ts";

export interface LanguageGuess {
  /** More than one if they are equal: Danish and German share most of "Vertrag mit der Firma". */
  languages: Language[];
  /** How many different function words were seen. */
  evidence: number;
  /** Function words, of all words. */
  share: number;
}

/**
 * The language of normalised words by their function words, or nothing if English or no language wins. A word of
 * several languages (de, la, in) counts in part for each; single letters count for nothing (the Spanish list has them
 * all).
 */
export function guessLanguage(words: Iterable<string>): LanguageGuess | undefined {
  const occurrences = new Map<string, number>();
  let count = 0;
  for (const word of words) {
    count++;
    if (ownersOf.has(word)) occurrences.set(word, (occurrences.get(word) ?? 0) + 1);
  }
  const scores = new Map<Language | "en", number>();
  const seen = new Map<Language | "en", number>();
  for (const [word, often] of occurrences) {
    const owners = ownersOf.get(word) ?? [];
    for (const owner of owners) {
      scores.set(owner, (scores.get(owner) ?? 0) + often / owners.length);
      seen.set(owner, (seen.get(owner) ?? 0) + 1);
    }
  }
  const best = Math.max(0, ...scores.values());
  const languages = [...scores].filter(([, score]) => score > best - 1e-9).map(([language]) => language);
  const [first] = languages;
  if (first === undefined || languages.length > mostEven || !isEachOther(languages)) return undefined;
  return { languages, evidence: seen.get(first) ?? 0, share: best / count };
}

/** Whether two function words or more are English, and no other language has as many. */
export function isEnglish(words: readonly string[]): boolean {
  const evidence = new Set(words.filter((word) => ownersOf.get(word)?.includes("en")));
  return evidence.size >= 2 && guessLanguage(words) === undefined;
}

/** One word that five languages share means nothing. */
const mostEven = 3;

function isEachOther(languages: (Language | "en")[]): languages is Language[] {
  return !languages.includes("en");
}

const ownersOf = findOwners();

function findOwners(): Map<string, (Language | "en")[]> {
  const owners = new Map<string, (Language | "en")[]>();
  const add = (language: Language | "en", words: Iterable<string>) => {
    for (const word of words) if (word.length > 1) owners.set(word, [...(owners.get(word) ?? []), language]);
  };
  add("en", new Set(englishStops));
  for (const [language, { stopWords }] of Object.entries(latinLanguages))
    add(language as Language, stopWords);
  return owners;
}
