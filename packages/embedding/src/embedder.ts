/** What `file_embedding` stores. Shorter vectors are padded with zeros, which does not change any cosine. */
export const embeddingDimensions = 768;

/** A text to be found, or a query: some models need to know. */
export type EmbeddingPurpose = "document" | "query";

export interface EmbedOptions {
  purpose: EmbeddingPurpose;
  signal: AbortSignal;
}

export interface Embedded {
  /** One for each text, in their order: `embeddingDimensions` long, L2 norm 1. */
  vectors: Float32Array[];
  /** The provider's token count; undefined if it does not say. */
  tokens: number | undefined;
}

export interface Embedder {
  /** Stored with each vector: vectors of different models are never compared. */
  readonly model: string;
  /** The most tokens of one text; a longer text is cut before it is sent. */
  readonly maxTokens: number;
  /** The languages it was made for, by two-letter code. Undefined: no language is known to be worse than another. */
  readonly languages?: readonly string[] | undefined;
  /** A text whose cosine with a query is below this is unrelated. Undefined: nobody measured that. */
  readonly leastSimilarity?: number | undefined;
  /** How many texts fit into one request: `embed` sends more than that as several, and fails as a whole. */
  readonly textsPerRequest: number;
  /** For the whole text, never too low: for reserving budget. Close if the model's tokeniser is available. */
  countTokens(text: string): number;
  /** Fails with an `EmbeddingFailure`, or with the signal's reason. Tries once: callers have a queue. */
  embed(texts: readonly string[], options: EmbedOptions): Promise<Embedded>;
  /** Fails if the provider cannot be reached. Sends no text and no key, so it costs nothing. */
  reach?(signal: AbortSignal): Promise<void>;
  close?(): Promise<void>;
}
