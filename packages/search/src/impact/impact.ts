/**
 * The impact of a word in a document is what it adds to the document's score, before the weight of the word: BM25 of
 * the text (k1 = 1.2, b = 0.75), plus a part for the name. `word-score.ts` computes the same in SQL.
 */
export const bm25 = { most: 2.2, fixed: 0.3, byLength: 0.9, inName: { fixed: 1.3, byLength: 0.15 } };

/** Longer texts count as this long: PostgreSQL knows no later position. */
export const longestText = 16_383;

/** The average length that documents are written for. Searches use the average of what the caller sees. */
export const usualLength = 250;

export const mostTextImpact = bm25.most;
/** Of a name with one word. */
export const mostNameImpact = nameImpact(1);

export function textImpact(occurrences: number, length: number, averageLength = usualLength): number {
  const relative = Math.min(length, longestText) / averageLength;
  return saturate(readOccurrences(occurrences) / (bm25.fixed + bm25.byLength * relative));
}

export function nameImpact(nameLength: number): number {
  return bm25.most / (bm25.inName.fixed + bm25.inName.byLength * nameLength);
}

/**
 * How much more the same text can count where the average length is not the one it was written for: the lengths differ
 * by a factor between 1 and `ratio`, and the difference of two saturated values is greatest at 1/√ratio.
 */
export function mostGain(averageLength: number): number {
  const root = Math.sqrt(Math.max(1, averageLength / usualLength));
  return (bm25.most * (root - 1)) / (root + 1);
}

function saturate(value: number): number {
  return (bm25.most * value) / (1 + value);
}

/** As the ranking reads it from `ts_rank`: 1.05 for 1, 2.03 for 2, and so on. */
function readOccurrences(occurrences: number): number {
  let missing = limit;
  for (let number = 1; number <= occurrences; number++) missing -= 1 / (number * number);
  return 1 / missing - 0.5;
}

/** Of 1 + 1/4 + 1/9 + … */
const limit = 1.6449340669;
