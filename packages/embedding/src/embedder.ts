/** What `file_embedding` stores. Shorter vectors are padded with zeros, which leaves every cosine as it was. */
export const embeddingDimensions = 768;

/** A text that is found, or one that finds: some models want to know. */
export type EmbeddingPurpose = "document" | "query";

export interface EmbedOptions {
  purpose: EmbeddingPurpose;
  signal: AbortSignal;
}

export interface Embedded {
  /** One for each text, in their order: `embeddingDimensions` long, L2 norm 1. */
  vectors: Float32Array[];
  /** What the provider says it counted; undefined where it says nothing. */
  tokens: number | undefined;
}

export interface Embedder {
  /** Stored with each vector: vectors of different models are never compared. */
  readonly model: string;
  /** Of one text; a longer one is cut before it is sent. */
  readonly maxTokens: number;
  /** Those that it was made for, by two letters. Undefined: no language is known to be worse than another. */
  readonly languages?: readonly string[] | undefined;
  /** A text whose cosine with a query is below has nothing to do with it. Undefined: nobody measured that. */
  readonly leastSimilarity?: number | undefined;
  /** How many texts fit into one request: `embed` sends more than that as several, and fails as a whole. */
  readonly textsPerRequest: number;
  /** Of the whole text, never too low: for reserving budget. Close where the model's tokeniser is at hand. */
  countTokens(text: string): number;
  /** Fails with an `EmbeddingFailure`, or with the signal's reason. Tries once: who calls it has a queue. */
  embed(texts: readonly string[], options: EmbedOptions): Promise<Embedded>;
  close?(): Promise<void>;
}
