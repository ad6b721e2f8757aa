import { asRecord } from "../as-record.ts";
import { type EmbedOptions, embeddingDimensions } from "../embedder.ts";
import type { EmbeddingProvider } from "../embedding-provider.ts";
import { httpEndpoint } from "./http-endpoint.ts";
import type { HttpProviderSettings } from "./http-provider-settings.ts";
import { postJson } from "./post-json.ts";
import { reachEndpoint } from "./reach-endpoint.ts";
import { retrievalPrefix } from "./retrieval-prefix.ts";

export function ollamaProvider(settings: HttpProviderSettings): EmbeddingProvider {
  const { url = "http://127.0.0.1:11434", model = "nomic-embed-text", key, timeoutMs } = settings;
  const { dimensions = embeddingDimensions, maxTokens = 2_048, countTokens } = settings;
  const keyHeader = (secret: string) => ({ authorization: `Bearer ${secret}` });
  const endpoint = httpEndpoint({ url, key, keyHeader, timeoutMs });
  const shortened = settings.dimensions === undefined ? { dimensions } : {};

  return {
    model: `ollama/${model}@${dimensions}`,
    maxTokens,
    dimensions,
    // It has no limit, and processes them one by one within our time limit.
    perRequest: { texts: 32, tokens: Number.POSITIVE_INFINITY },
    prefix: retrievalPrefix(model),
    countTokens,
    reach: (signal) => reachEndpoint(endpoint, signal),
    async embed(texts: readonly string[], { signal }: EmbedOptions) {
      const body = { model, input: texts, truncate: true, ...shortened };
      const answer = asRecord(await postJson(endpoint, "api/embed", body, signal));
      return { vectors: answer.embeddings, tokens: answer.prompt_eval_count };
    },
  };
}
