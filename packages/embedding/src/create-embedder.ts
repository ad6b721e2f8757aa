import { checkedEmbedder } from "./checked-embedder.ts";
import { type Embedder, embeddingDimensions } from "./embedder.ts";
import type { EmbeddingProvider } from "./embedding-provider.ts";
import { countWithTokenizer } from "./local/count-with-tokenizer.ts";
import { loadTokenizer } from "./local/load-tokenizer.ts";
import { localProvider } from "./local/local-provider.ts";
import { geminiProvider } from "./providers/gemini-provider.ts";
import type { HttpProviderSettings } from "./providers/http-provider-settings.ts";
import { ollamaProvider } from "./providers/ollama-provider.ts";
import { openaiProvider } from "./providers/openai-provider.ts";
import { tokenBound } from "./token-bound.ts";

export interface EmbedderSettings extends Omit<HttpProviderSettings, "countTokens"> {
  kind: "openai" | "gemini" | "ollama" | "local";
  /**
   * The local model's, if not the usual one. For the others, where the model's `tokenizer.json` is: tokens are then
   * counted, and a text cut, by it. Without it a text is cut by its bytes, which for a small model is far too short.
   */
  modelFolder?: string | undefined;
}

const httpProviders = { openai: openaiProvider, gemini: geminiProvider, ollama: ollamaProvider };

/** Fails with what is wrong in the settings; no request is made. */
export async function createEmbedder(settings: EmbedderSettings): Promise<Embedder> {
  checkNumbers(settings);
  return checkedEmbedder(await createProvider(settings));
}

async function createProvider(settings: EmbedderSettings): Promise<EmbeddingProvider> {
  const { kind, modelFolder } = settings;
  if (kind === "local") return await localProvider(modelFolder);
  const encode = modelFolder === undefined ? undefined : await loadTokenizer(modelFolder);
  const countTokens = encode ? (text: string) => countWithTokenizer(text, encode) : tokenBound;
  return httpProviders[kind]({ ...settings, countTokens });
}

function checkNumbers({ dimensions, maxTokens, timeoutMs }: EmbedderSettings): void {
  check("dimensions", dimensions, 1, embeddingDimensions);
  check("maxTokens", maxTokens, 64, 1_000_000);
  check("timeoutMs", timeoutMs, 1, 3_600_000);
}

function check(name: string, value: number | undefined, least: number, most: number): void {
  if (value === undefined || (Number.isInteger(value) && value >= least && value <= most)) return;
  throw new Error(`${name} of an embedder is a whole number from ${least} to ${most}, not ${value}.`);
}
