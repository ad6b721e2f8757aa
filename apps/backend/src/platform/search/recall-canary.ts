import type { Metrics } from "../process/metrics.ts";

const usualShare = 0.01;

/** Repeats some searches of the vector index without it, to measure what it misses. */
export class RecallCanary {
  readonly #metrics: Pick<Metrics, "observeRecall">;
  readonly #share: number;

  /** `share`: the fraction of searches. */
  constructor(metrics: Pick<Metrics, "observeRecall">, share = usualShare) {
    this.#metrics = metrics;
    this.#share = share;
  }

  isDue(): boolean {
    return Math.random() < this.#share;
  }

  observe(found: readonly string[], nearest: readonly string[]): void {
    if (nearest.length === 0) return;
    const seen = new Set(found);
    this.#metrics.observeRecall(nearest.filter((id) => seen.has(id)).length / nearest.length);
  }
}
