/** The longest prefix with at most this many tokens, found by halving. */
export function cutText(text: string, maxTokens: number, countTokens: (text: string) => number): string {
  let fits = 0;
  // Never counts a whole long text: that takes time, and most is cut off. English has four characters per token.
  let reaches = 4 * maxTokens;
  while (countTokens(text.slice(0, reaches)) <= maxTokens) {
    if (reaches >= text.length) return text;
    fits = reaches;
    reaches *= 2;
  }
  reaches = Math.min(reaches, text.length);
  while (reaches - fits > 1) {
    const middle = Math.floor((fits + reaches) / 2);
    if (countTokens(text.slice(0, middle)) <= maxTokens) fits = middle;
    else reaches = middle;
  }
  return text.slice(0, splitsPair(text, fits) ? fits - 1 : fits);
}

function splitsPair(text: string, at: number): boolean {
  return at > 0 && (text.codePointAt(at - 1) ?? 0) > 0xffff;
}
