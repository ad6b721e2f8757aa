import type { Embedder, EmbeddingPurpose, EmbedOptions } from "./embedder.ts";

/** One way to one model. What all of them share (cutting, splitting, checking) is in `checked-embedder.ts`. */
export interface EmbeddingProvider extends Pick<Embedder, "languages" | "leastSimilarity" | "reach"> {
  readonly model: string;
  readonly maxTokens: number;
  /** The exact length of its vectors. */
  readonly dimensions: number;
  /** What one request may carry. */
  readonly perRequest: { readonly texts: number; readonly tokens: number };
  /** Put in front of a text. */
  readonly prefix?: Readonly<Record<EmbeddingPurpose, string>> | undefined;
  countTokens(text: string): number;
  embed(texts: readonly string[], options: EmbedOptions): Promise<ProviderAnswer>;
  close?(): Promise<void>;
}

/** As received: nothing about it is trusted yet. */
export interface ProviderAnswer {
  vectors: unknown;
  tokens: unknown;
}
