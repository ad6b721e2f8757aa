import { nameForms } from "../analyser/analyse-name.ts";
import { type WordForms, wordForms } from "../analyser/analyse-text.ts";
import type { Language } from "../analyser/latin-languages.ts";
import type { ScannedWord } from "../analyser/scan-words.ts";
import { signTerm } from "../analyser/sign-term.ts";

/** The forms of a typed word in texts. A text with C++ also has C; a query for C++ does not ask for C. */
export function askedForms(
  word: Pick<ScannedWord, "text" | "isDense">,
  languages: readonly Language[],
): WordForms {
  const forms = wordForms(word, languages);
  return isSigned(word) ? { ...forms, terms: forms.terms.slice(0, 1) } : forms;
}

/** The same in names. */
export function askedNameForms(word: string): string[] {
  const forms = nameForms(word);
  return isSigned({ text: word, isDense: false }) ? forms.slice(0, 1) : forms;
}

function isSigned({ text, isDense }: Pick<ScannedWord, "text" | "isDense">): boolean {
  return !isDense && signTerm(text) !== undefined;
}
