import { nameParts, writtenForm } from "../analyser/analyse-name.ts";
import { alphabetOf } from "./one-edit-neighbours.ts";

/** Of shorter words half of all neighbours exist; longer ones have too many neighbours to look for. */
const letters = { least: 4, most: 20 };

/** What may stand around a word without being part of a code, a path or an address. */
const aroundWord = { before: /^[('‘¿¡]*$/u, after: /^[)'’.,;:!?…]*$/u };

/**
 * The written form of a typed piece that is one ordinary word, which may have a typo. Codes, numbers, addresses,
 * paths, identifiers and words in capitals mean what they say, and so does anything in quotes.
 */
export function mayBeMisspelled(
  piece: { text: string; isQuoted: boolean },
  { text, start, end }: { text: string; start: number; end: number },
): string | undefined {
  if (piece.isQuoted || !aroundWord.before.test(piece.text.slice(0, start))) return undefined;
  if (!aroundWord.after.test(piece.text.slice(end))) return undefined;
  if (text === text.toUpperCase() || nameParts(text).length > 1) return undefined;
  const written = writtenForm(text);
  const isOrdinary = written.length >= letters.least && written.length <= letters.most;
  return isOrdinary && alphabetOf(written) !== undefined ? written : undefined;
}
