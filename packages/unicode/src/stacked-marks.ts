/**
 * Unicode normalisation sorts the marks of a letter by insertion: 33,000 of two kinds take six seconds. Text that is safe
 * to normalise has at most 30 in a row (UAX #15, Stream-Safe Text Format); no script comes near.
 */
const tooMany = /\p{M}{31}/u;

export function hasStackedMarks(text: string): boolean {
  return tooMany.test(text);
}

/** Keeps the first 30 marks of each letter. */
export function withoutStackedMarks(text: string): string {
  return text.replace(/(\p{M}{30})\p{M}+/gu, "$1");
}
