import type { Metrics } from "../process/metrics.ts";

const usualShare = 0.01;

/** Has some searches by the index of vectors repeated without it, to know what it misses. */
export class RecallCanary {
  readonly #metrics: Pick<Metrics, "observeRecall">;
  readonly #share: number;

  /** `share`: how many of all. */
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
