import type { EmbeddingProvider } from "./embedding-provider.ts";

/** Into requests that the provider accepts; a text that exceeds the limit goes alone. */
export function* splitTexts(
  texts: Iterable<string>,
  { texts: maxTexts, tokens: maxTokens }: EmbeddingProvider["perRequest"],
  countTokens: (text: string) => number,
): Generator<string[]> {
  let request: string[] = [];
  let tokensLeft = maxTokens;
  for (const text of texts) {
    const tokens = maxTokens === Number.POSITIVE_INFINITY ? 0 : countTokens(text);
    if (request.length === maxTexts || (request.length > 0 && tokens > tokensLeft)) {
      yield request;
      request = [];
      tokensLeft = maxTokens;
    }
    request.push(text);
    tokensLeft -= tokens;
  }
  if (request.length > 0) yield request;
}
