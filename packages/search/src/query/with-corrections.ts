import { nameForms } from "../analyser/analyse-name.ts";
import { wordForms } from "../analyser/analyse-text.ts";
import type { Language } from "../analyser/latin-languages.ts";
import type { ParsedQuery, QueryWord } from "./parse-query.ts";

/** A typed word that no visible document has, and the similar words that were searched for instead. */
export interface Correction {
  word: string;
  also: string[];
}

/** The forms of a word in texts and in names. No body: it is a stop word. */
export function formsOf(word: string, languages: readonly Language[]): Pick<QueryWord, "body" | "name"> {
  const { terms } = wordForms({ text: word, isDense: false }, languages);
  return {
    body: [...new Set(terms.map(({ term }) => term))],
    name: nameForms(word).map((form) => [form]),
  };
}

/** The query with its corrections: they become forms of one word, of which the best one counts. */
export function withCorrections(parsed: ParsedQuery, corrections: readonly Correction[]): ParsedQuery {
  if (corrections.length === 0) return parsed;
  const alsoOf = new Map(corrections.map(({ word, also }) => [word, also]));
  const words = parsed.words.map((word) => {
    const also = word.spelling === undefined ? undefined : alsoOf.get(word.spelling);
    return also === undefined ? word : correctedWord(word, also, parsed.languages);
  });
  return { ...parsed, words };
}

function correctedWord(
  { prefix: _, tail: __, spelling: insteadOf, ...word }: QueryWord,
  also: readonly string[],
  languages: readonly Language[],
): QueryWord {
  const forms = also.map((spelling) => formsOf(spelling, languages));
  return {
    ...word,
    body: [...new Set(forms.flatMap(({ body }) => body))],
    name: forms.flatMap(({ name }) => name),
    ...(insteadOf !== undefined && { insteadOf }),
  };
}
