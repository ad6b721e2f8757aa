import type { Language } from "../analyser/latin-languages.ts";
import { phraseOf, type QueryPhrase } from "./query-phrase.ts";
import type { TypedPiece } from "./split-query.ts";

/** A longer run without spaces is a question, which no text repeats. */
const mostWords = 32;
const mostPhrases = 16;

/**
 * What was typed without a space and is several words for the index: an e-mail address, 192.168.1.17, budget-2027.xlsx,
 * 請求書. Of 400 such tokens of scifact with a digit, 0.530 found their document first as loose words, 0.830 as phrases.
 */
export function gluedPhrases(pieces: readonly TypedPiece[], languages: readonly Language[]): QueryPhrase[] {
  return pieces
    .filter(({ isQuoted }) => !isQuoted)
    .map((piece) => phraseOf(piece, languages))
    .filter(({ body, name }) => Math.max(body.length, name.length) > 1 && body.length <= mostWords)
    .slice(0, mostPhrases);
}
