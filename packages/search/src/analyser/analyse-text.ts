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

export function* analyseText(
  text: string,
  languages: readonly Language[] = languagesOfText(text),
): Generator<Term> {
  const known = new Map<string, WordForms>();
  let position = 1;
  for (const word of scanWords(text)) {
    let forms = known.get(word.text);
    if (!forms) {
      forms = wordForms(word, languages);
      if (known.size < rememberedWords && !word.isDense) known.set(word.text, forms);
    }
    for (const { term, offset } of forms.terms) yield { term, position: position + offset };
    position += forms.width;
  }
}

/** Bounds the memory of a text of noise; words that come later are stemmed each time. */
const rememberedWords = 200_000;

/** Enough words to recognise a language; a document that switches later has its common forms. */
const wordsToGuessBy = 1000;

/**
 * None: English, a script that needs no guess, or too few words. A text in a language has a third of its words from
 * the list; a tenth keeps out formulas and names (cacm: without it, 838 of 3,204 English abstracts counted as Spanish).
 */
export function languagesOfText(text: string): Language[] {
  const words = scanWords(text)
    .take(wordsToGuessBy)
    .map((word) => normaliseWord(word.text));
  const guess = guessLanguage(words);
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
