import { nameParts, writtenForm } from "../analyser/analyse-name.ts";
import type { Language } from "../analyser/latin-languages.ts";
import { scanWords } from "../analyser/scan-words.ts";
import { askedForms, askedNameForms } from "./asked-forms.ts";
import type { TypedPiece } from "./split-query.ts";

/** Consecutive words, in a text and in a name. */
export interface QueryPhrase {
  body: PhraseWord[];
  name: PhraseWord[];
  /** Other phrases, of which any will do as well. */
  or?: QueryPhrase[];
}

export interface PhraseWord {
  forms: string[];
  /** Counts words left out before it. */
  offset: number;
  /** The prefix of an unfinished word. */
  prefix?: string;
}

/** No text has more in a row. */
const mostWords = 128;

export function phraseOf(piece: TypedPiece, languages: readonly Language[]): QueryPhrase {
  const phrase: QueryPhrase = { body: [], name: [] };
  let bodyAt = 0;
  let nameAt = 0;
  for (const scanned of scanWords(piece.text)) {
    const { terms, width } = askedForms(scanned, languages);
    const isOpen = piece.isOpen && !scanned.isDense && scanned.end === piece.text.length;
    const begun = isOpen ? { prefix: writtenForm(scanned.text) } : {};
    const pairs = terms.filter(({ isPart }) => !isPart);
    for (const [offset, forms] of Map.groupBy(pairs, (form) => form.offset)) {
      const word = { forms: forms.map(({ term }) => term), ...begun };
      phrase.body.push({ ...word, offset: bodyAt + offset });
      if (scanned.isDense) phrase.name.push({ ...word, offset: nameAt + offset });
    }
    const inName = scanned.isDense ? [] : askedNameForms(scanned.text);
    if (inName.length > 0) phrase.name.push({ forms: inName, offset: nameAt, ...begun });
    bodyAt += width;
    nameAt += scanned.isDense ? width : Math.max(1, nameParts(scanned.text).length);
    if (bodyAt > mostWords) break;
  }
  return phrase;
}
