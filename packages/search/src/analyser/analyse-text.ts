import { charactersOf, denseTerms } from "./dense-terms.ts";
import { guessLanguage } from "./guess-language.ts";
import type { Language } from "./latin-languages.ts";
import { normaliseWord } from "./normalise-word.ts";
import { type ScannedWord, scanWords } from "./scan-words.ts";
import { signTerm, withoutSigns } from "./sign-term.ts";
import { wordTerms } from "./word-terms.ts";

/** Stored with each document: one of another version is analysed again. Increment it with any change of terms. */
export const analyserVersion = 2;

/** Terms of one position are forms of one word; a position without a term was a stop word. Positions begin at 1. */
export interface Term {
  term: string;
  position: number;
}

export function* analyseText(text: string, languages?: readonly Language[]): Generator<Term> {
  const read = readWords(text);
  yield* analyseWords(read.words, languages ?? read.languages);
}

export function* analyseWords(words: Iterable<ScannedWord>, languages: readonly Language[]): Generator<Term> {
  const formsOf = rememberedForms(languages);
  let position = 1;
  for (const word of words) {
    const forms = formsOf(word);
    for (const { term, offset } of forms.terms) yield { term, position: position + offset };
    position += forms.width;
  }
}

/** Of each combination of languages. */
const rememberedWords = 50_000;
/** What noise is made of is not seen again. */
const longestRemembered = 30;
const mostCombinations = 8;
const remembered = new Map<string, Map<string, WordForms>>();

/** Texts share most of their words. A text of noise empties the memory, and takes no more of it. */
function rememberedForms(languages: readonly Language[]): (word: ScannedWord) => WordForms {
  const key = languages.join();
  if (!remembered.has(key) && remembered.size === mostCombinations) remembered.clear();
  const known = remembered.get(key) ?? new Map<string, WordForms>();
  remembered.set(key, known);
  return (word) => {
    const seen = known.get(word.text);
    if (seen) return seen;
    const forms = wordForms(word, languages);
    if (word.isDense || word.text.length > longestRemembered) return forms;
    if (known.size === rememberedWords) known.clear();
    known.set(word.text, forms);
    return forms;
  };
}

/** Enough words to recognise a language; a document that switches later has its common forms. */
const wordsToGuessBy = 1000;

/** The words of a text, and the languages that it is written in: the text is scanned once. */
export function readWords(text: string): { words: Iterable<ScannedWord>; languages: Language[] } {
  const first = scanWords(text).take(wordsToGuessBy).toArray();
  return { words: withRest(text, first), languages: languagesOf(first) };
}

function* withRest(text: string, first: readonly ScannedWord[]): Generator<ScannedWord> {
  yield* first;
  if (first.length === wordsToGuessBy) yield* scanWords(text, first.at(-1)?.end);
}

export function languagesOfText(text: string): Language[] {
  return readWords(text).languages;
}

/**
 * None: English, a script that needs no guess, or too few words. A text in a language has a third of its words from
 * the list; a tenth keeps out formulas and names (cacm: without it, 838 of 3,204 English abstracts counted as Spanish).
 */
function languagesOf(words: readonly ScannedWord[]): Language[] {
  const guess = guessLanguage(words.map((word) => normaliseWord(word.text)));
  return guess && guess.evidence >= 2 && guess.share >= 0.1 ? guess.languages : [];
}

export interface WordForms {
  terms: { term: string; offset: number; isPart: boolean }[];
  /** How many positions it takes: one, or one per character of a script without spaces. */
  width: number;
}

export function wordForms(
  word: Pick<ScannedWord, "text" | "isDense">,
  languages: readonly Language[],
): WordForms {
  const sign = word.isDense ? undefined : signTerm(word.text);
  if (sign !== undefined) return signedForms(sign, word.text, languages);
  const normalised = normaliseWord(word.text);
  if (word.isDense) return { terms: denseTerms(normalised), width: charactersOf(normalised).length };
  if (normalised.length === word.text.length || !/[\u2100-\u214f\u3200-\u33ff]/u.test(word.text)) {
    return {
      terms: wordTerms(normalised, languages).map((term) => ({ term, offset: 0, isPart: false })),
      width: 1,
    };
  }
  return formsOfSymbols(normalised, languages);
}

/** The one with its signs first: a query asks for that alone. */
function signedForms(sign: string, text: string, languages: readonly Language[]): WordForms {
  const bare = wordTerms(normaliseWord(withoutSigns(text)), languages);
  return { terms: [sign, ...bare].map((term) => ({ term, offset: 0, isPart: false })), width: 1 };
}

/** ㈱ became (株), 5㎏ became 5kg: separate words after NFKC. */
function formsOfSymbols(normalised: string, languages: readonly Language[]): WordForms {
  const all: WordForms = { terms: [], width: 0 };
  for (const word of scanWords(normalised)) {
    const { terms, width } = wordForms(word, languages);
    for (const term of terms) all.terms.push({ ...term, offset: all.width + term.offset });
    all.width += width;
  }
  return all;
}
