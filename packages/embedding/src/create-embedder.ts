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
   * The folder of the local model, if not the default. For the others, the folder of the model's `tokenizer.json`,
   * which then counts tokens and cuts texts. Without it a text is cut by its bytes, which is far too short for a
   * small model.
   */
  modelFolder?: string | undefined;
}

const httpProviders = { openai: openaiProvider, gemini: geminiProvider, ollama: ollamaProvider };

/** Fails if the settings are wrong; no request is made. */
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
