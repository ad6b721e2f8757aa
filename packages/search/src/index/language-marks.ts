import { type Language, latinLanguages } from "../analyser/latin-languages.ts";
import { quoteLexeme } from "../analyser/to-tsvector.ts";

export const languages = Object.keys(latinLanguages) as Language[];

/** Written beside the words of a text that has the stems of this language. No word of the analyser begins with the sign. */
export function languageMark(language: Language): string {
  return quoteLexeme(`~@${language}`);
}
