import { writtenForm } from "../analyser/analyse-name.ts";
import type { Language } from "../analyser/latin-languages.ts";
import { scanWords } from "../analyser/scan-words.ts";
import { type PhraseWord, phraseOf } from "./query-phrase.ts";
import type { TypedPiece } from "./split-query.ts";

export interface JoinedToken {
  typed: string;
  /** Its parts in a text, in a row. */
  body: PhraseWord[];
  /** Its parts in a name, in any order. */
  inName: string[];
}

/**
 * A number, code, address or file name that is several words for the index, as one word of the query: 192.168.1.17,
 * jane@acme.com, PLT-3699, budget-2027.xlsx. A text has it if it has all parts in a row; a name, in any order: names
 * are short, and write dates both ways. Undefined for all other pieces, such as mother-in-law, and/or, /reports/2027
 * and a run without spaces.
 */
export function joinedToken(piece: TypedPiece, languages: readonly Language[]): JoinedToken | undefined {
  const { text, isQuoted } = piece;
  const parts = [...scanWords(text)];
  if (isQuoted || parts.length < 2 || parts.some(({ isDense }) => isDense) || !isToken(text))
    return undefined;
  const { body } = phraseOf(piece, languages);
  if (body.length === 0) return undefined;
  const inName = parts.map((part) => writtenForm(part.text)).filter((part) => part !== "");
  return { typed: text, body, inName };
}

/** Only digits and signs; or no path, and a digit or a sign that joins letters to an address or an identifier. */
function isToken(text: string): boolean {
  if (!/\p{L}/u.test(text)) return true;
  return !/[/\\]/u.test(text) && /\p{N}|[\p{L}\p{M}][@_.:][\p{L}\p{M}]/u.test(text);
}
