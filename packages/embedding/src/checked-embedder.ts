import { withoutStackedMarks } from "@svc/unicode/stacked-marks";
import { checkAnswer } from "./check-answer.ts";
import { cutText } from "./cut-text.ts";
import type { Embedded, Embedder, EmbeddingPurpose } from "./embedder.ts";
import type { EmbeddingProvider } from "./embedding-provider.ts";
import { splitTexts } from "./split-texts.ts";

/** Providers refuse an empty text, each in its own way; an empty text gets the vector of a full stop. */
const saysNothing = ".";

export function checkedEmbedder(provider: EmbeddingProvider): Embedder {
  const word = (text: string, purpose: EmbeddingPurpose) => {
    // Half of a surrogate pair is not text: some servers answer it with 400 or 500.
    const sent = text.trim() === "" ? saysNothing : withoutStackedMarks(text.toWellFormed());
    return `${provider.prefix?.[purpose] ?? ""}${sent}`;
  };
  const countTokens = (text: string) => provider.countTokens(text);

  return {
    model: provider.model,
    maxTokens: provider.maxTokens,
    languages: provider.languages,
    leastSimilarity: provider.leastSimilarity,
    textsPerRequest: provider.perRequest.texts,
    countTokens: (text) => {
      const asDocument = countTokens(word(text, "document"));
      return provider.prefix ? Math.max(asDocument, countTokens(word(text, "query"))) : asDocument;
    },
    async embed(texts, options): Promise<Embedded> {
      const cut = texts
        .values()
        .map((text) => cutText(word(text, options.purpose), provider.maxTokens, countTokens));
      const vectors: Float32Array[] = [];
      let tokens: number | undefined = 0;
      for (const request of splitTexts(cut, provider.perRequest, countTokens)) {
        const answer = checkAnswer(await provider.embed(request, options), request.length, provider);
        vectors.push(...answer.vectors);
        tokens = tokens === undefined || answer.tokens === undefined ? undefined : tokens + answer.tokens;
      }
      return { vectors, tokens };
    },
    ...(provider.reach ? { reach: provider.reach } : {}),
    ...(provider.close ? { close: () => (provider.close as () => Promise<void>)() } : {}),
  };
}
