import { asRecord } from "../as-record.ts";
import { type EmbedOptions, embeddingDimensions } from "../embedder.ts";
import { EmbeddingFailure } from "../embedding-failure.ts";
import type { EmbeddingProvider } from "../embedding-provider.ts";
import { httpEndpoint } from "./http-endpoint.ts";
import type { HttpProviderSettings } from "./http-provider-settings.ts";
import { postJson } from "./post-json.ts";
import { reachEndpoint } from "./reach-endpoint.ts";
import { retrievalPrefix } from "./retrieval-prefix.ts";

/** OpenAI itself, and the many compatible servers: llama-server, vLLM, LM Studio, text-embeddings-inference. */
export function openaiProvider(settings: HttpProviderSettings): EmbeddingProvider {
  const { url = "https://api.openai.com/v1", model = "text-embedding-3-small", key, timeoutMs } = settings;
  const { dimensions = embeddingDimensions, maxTokens = 8_191, countTokens } = settings;
  const keyHeader = (secret: string) => ({ authorization: `Bearer ${secret}` });
  const endpoint = httpEndpoint({ url, key, keyHeader, timeoutMs });
  // A model with a configured vector length is not asked for another one: servers refuse that, or ignore it.
  const shortened = settings.dimensions === undefined ? { dimensions } : {};

  return {
    model: `openai/${model}@${dimensions}`,
    maxTokens,
    dimensions,
    // OpenAI accepts 2,048 texts with 300,000 tokens; with fewer texts, a failed request loses less.
    perRequest: { texts: 256, tokens: 300_000 },
    prefix: retrievalPrefix(model),
    countTokens,
    reach: (signal) => reachEndpoint(endpoint, signal),
    async embed(texts: readonly string[], { signal }: EmbedOptions) {
      // As text, numbers are four times as long. Servers without base64 send numbers.
      const body = { model, input: texts, encoding_format: "base64", ...shortened };
      const { data, usage } = asRecord(await postJson(endpoint, "embeddings", body, signal));
      const counted = asRecord(usage);
      return {
        vectors: Array.isArray(data) ? inOrder(data.map(asRecord)).map(decode) : undefined,
        tokens: counted.total_tokens ?? counted.prompt_tokens,
      };
    },
  };
}

/** Each names its text, and nobody promises that they come in order. */
function inOrder(entries: Record<string, unknown>[]): unknown[] {
  if (entries.every(({ index }) => index === undefined)) return entries.map(({ embedding }) => embedding);
  const ordered = new Map(entries.map(({ index, embedding }) => [index, embedding]));
  return entries.map((_, index) => {
    if (ordered.has(index)) return ordered.get(index);
    throw new EmbeddingFailure("malformed", `the answer has no vector with the index ${index}`);
  });
}

/** Little-endian floats of four bytes; undefined if malformed. */
function decode(embedding: unknown): unknown {
  if (typeof embedding !== "string") return embedding;
  const bytes = Buffer.from(embedding, "base64");
  if (bytes.length === 0 || bytes.length % 4 !== 0) return undefined;
  return Float32Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4));
}
