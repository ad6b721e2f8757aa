/** Keeps 30 marks of a letter: normalising takes time squared in their number, a minute for 100,000. */
export function withoutStackedMarks(text: string): string {
  return text.replace(/(\p{M}{30})\p{M}+/gu, "$1");
}
