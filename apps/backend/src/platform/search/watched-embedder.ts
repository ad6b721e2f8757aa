import type { Embedded, Embedder, EmbedOptions } from "@svc/embedding/embedder";
import { EmbeddingFailure } from "@svc/embedding/embedding-failure";

/** A model that is not used any more is not down for ever. */
const memoryMillis = 60_000;

/** Remembers how its last call went: only a real call shows whether a model works, and each may cost money. */
export class WatchedEmbedder implements Embedder {
  readonly #embedder: Embedder;
  #failure: { error: unknown; at: number } | undefined;

  constructor(embedder: Embedder) {
    this.#embedder = embedder;
  }

  get model(): string {
    return this.#embedder.model;
  }

  get maxTokens(): number {
    return this.#embedder.maxTokens;
  }

  get languages(): readonly string[] | undefined {
    return this.#embedder.languages;
  }

  get leastSimilarity(): number | undefined {
    return this.#embedder.leastSimilarity;
  }

  get textsPerRequest(): number {
    return this.#embedder.textsPerRequest;
  }

  countTokens(text: string): number {
    return this.#embedder.countTokens(text);
  }

  async embed(texts: readonly string[], options: EmbedOptions): Promise<Embedded> {
    try {
      const embedded = await this.#embedder.embed(texts, options);
      this.#failure = undefined;
      return embedded;
    } catch (error) {
      if (isOutage(error)) this.#failure = { error, at: performance.now() };
      throw error;
    }
  }

  async reach(signal: AbortSignal): Promise<void> {
    await this.#embedder.reach?.(signal);
    const failure = this.#failure;
    if (failure === undefined || performance.now() - failure.at > memoryMillis) return;
    // The connection works again; what the provider has answered may still be true.
    if (this.#embedder.reach && isWithoutAnswer(failure.error)) return;
    throw failure.error;
  }

  async close(): Promise<void> {
    await this.#embedder.close?.();
  }
}

function isOutage(error: unknown): error is EmbeddingFailure {
  return error instanceof EmbeddingFailure && (error.kind === "unavailable" || error.kind === "unusable");
}

function isWithoutAnswer(error: unknown): boolean {
  return error instanceof EmbeddingFailure && error.status === undefined;
}
