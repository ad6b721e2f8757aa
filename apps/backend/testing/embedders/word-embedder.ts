import { type Embedder, embeddingDimensions } from "@svc/embedding/embedder";
import { type PricedEmbedder, priced } from "../../src/platform/search/embedders.ts";

export interface WordEmbedderOptions {
  model?: string;
  pricePerMillionTokens?: string;
  maxTokens?: number;
  textsPerRequest?: number;
  /** A record of what it was asked; several embedders may share one. */
  asked?: string[];
  /** Runs before each call: to fail, to wait, or to change something. */
  onCall?: (texts: readonly string[]) => Promise<void> | void;
}

/** An embedder based on words: texts with the same words are close. It counts its calls. */
export class WordEmbedder implements Embedder {
  readonly model: string;
  readonly maxTokens: number;
  readonly textsPerRequest: number;
  readonly asked: string[];
  readonly priced: PricedEmbedder;
  readonly #onCall: WordEmbedderOptions["onCall"];

  constructor({
    model = "words",
    pricePerMillionTokens = "0",
    maxTokens = 256,
    textsPerRequest = 8,
    asked = [],
    onCall,
  }: WordEmbedderOptions = {}) {
    this.model = model;
    this.maxTokens = maxTokens;
    this.textsPerRequest = textsPerRequest;
    this.asked = asked;
    this.#onCall = onCall;
    this.priced = priced(this, pricePerMillionTokens);
  }

  countTokens(text: string): number {
    return wordsOf(text).length;
  }

  async embed(texts: readonly string[]): Promise<{ vectors: Float32Array[]; tokens: number }> {
    await this.#onCall?.(texts);
    this.asked.push(...texts);
    return {
      vectors: texts.map((text) => vectorOf(this.model, text)),
      tokens: texts.reduce((sum, text) => sum + this.countTokens(text), 0),
    };
  }
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/\p{L}+|\p{N}+/gu) ?? [];
}

/** Each word is a separate direction, or nearly; another model has others. */
function vectorOf(model: string, text: string): Float32Array {
  const vector = new Float32Array(embeddingDimensions);
  for (const word of [".", ...wordsOf(text)]) {
    let hash = 2_166_136_261;
    for (const unit of `${model} ${word}`) hash = Math.imul(hash ^ (unit.codePointAt(0) ?? 0), 16_777_619);
    const index = (hash >>> 0) % embeddingDimensions;
    vector[index] = (vector[index] ?? 0) + 1;
  }
  const norm = Math.hypot(...vector);
  return vector.map((value) => value / norm);
}

/** The models that random writes choose from. */
export function threeModels(): PricedEmbedder[] {
  return ["words", "other words", "third words"].map((model) => new WordEmbedder({ model }).priced);
}
