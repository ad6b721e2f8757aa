/** Marks of beginning and end, and the space that some tokenisers put in front. */
const marks = 4;

/**
 * Without the model's vocabulary: no token is shorter than a byte. Some tokenisers take characters apart first (ﷺ
 * becomes eighteen), hence the longer of both forms. About four times too high for English, never too low.
 */
export function tokenBound(text: string): number {
  return Math.max(Buffer.byteLength(text), Buffer.byteLength(text.normalize("NFKD"))) + marks;
}
