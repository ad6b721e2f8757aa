/**
 * Keeps 30 marks of a letter. Counting tokens normalises, here and in tokenisers, which takes time squared in their number: 0.8 s
 * for 16,000. The index of words does the same; this package stands alone, hence a second copy.
 */
export function withoutStackedMarks(text: string): string {
  return text.replace(/(\p{M}{30})\p{M}+/gu, "$1");
}
