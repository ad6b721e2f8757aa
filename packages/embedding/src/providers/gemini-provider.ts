import { asRecord } from "../as-record.ts";
import { type EmbeddingPurpose, type EmbedOptions, embeddingDimensions } from "../embedder.ts";
import type { EmbeddingProvider } from "../embedding-provider.ts";
import { httpEndpoint } from "./http-endpoint.ts";
import type { HttpProviderSettings } from "./http-provider-settings.ts";
import { postJson } from "./post-json.ts";
import { reachEndpoint } from "./reach-endpoint.ts";

const taskTypes: Record<EmbeddingPurpose, string> = {
  document: "RETRIEVAL_DOCUMENT",
  query: "RETRIEVAL_QUERY",
};

export function geminiProvider(settings: HttpProviderSettings): EmbeddingProvider {
  const { url = "https://generativelanguage.googleapis.com/v1beta", key, timeoutMs } = settings;
  const { model = "gemini-embedding-001", maxTokens = 2_048, countTokens } = settings;
  const { dimensions = embeddingDimensions } = settings;
  const keyHeader = (secret: string) => ({ "x-goog-api-key": secret });
  const endpoint = httpEndpoint({ url, key, keyHeader, timeoutMs });
  const shortened = settings.dimensions === undefined ? { outputDimensionality: dimensions } : {};
  const path = `models/${encodeURIComponent(model)}:batchEmbedContents`;

  return {
    model: `gemini/${model}@${dimensions}`,
    maxTokens,
    dimensions,
    perRequest: { texts: 100, tokens: Number.POSITIVE_INFINITY },
    countTokens,
    reach: (signal) => reachEndpoint(endpoint, signal),
    async embed(texts: readonly string[], { purpose, signal }: EmbedOptions) {
      const requests = texts.map((text) => ({
        model: `models/${model}`,
        content: { parts: [{ text }] },
        taskType: taskTypes[purpose],
        ...shortened,
      }));
      const { embeddings, usageMetadata } = asRecord(await postJson(endpoint, path, { requests }, signal));
      return {
        vectors: Array.isArray(embeddings) ? embeddings.map((entry) => asRecord(entry).values) : undefined,
        tokens: asRecord(usageMetadata).promptTokenCount,
      };
    },
  };
}
