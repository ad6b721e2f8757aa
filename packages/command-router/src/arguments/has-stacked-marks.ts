/**
 * Unicode normalisation sorts the marks of a letter by insertion: 33,000 of two kinds take six seconds. Text that is safe to
 * normalise has at most 30 in a row (UAX #15, Stream-Safe Text Format); no script comes near.
 */
const stacked = /\p{M}{31}/u;

export function hasStackedMarks(text: string): boolean {
  return stacked.test(text);
}
