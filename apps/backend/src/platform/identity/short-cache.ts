/**
 * Caches loaded values for a few seconds: long enough to save a lookup per request, short enough that a revocation
 * takes effect within 10 s on every process without notifying them. Concurrent callers share one load.
 */
export class ShortCache<Value> {
  readonly #entries = new Map<string, { value: Promise<Value>; loadedAt: number }>();
  readonly #timeToLive: number;
  readonly #maxEntries: number;
  readonly #now: () => number;

  constructor(timeToLive: number, maxEntries = 10_000, now: () => number = () => performance.now()) {
    this.#timeToLive = timeToLive;
    this.#maxEntries = maxEntries;
    this.#now = now;
  }

  get(key: string, load: () => Promise<Value>): Promise<Value> {
    const known = this.#entries.get(key);
    const now = this.#now();
    if (known && now - known.loadedAt < this.#timeToLive) return known.value;

    const entry = { value: load(), loadedAt: now };
    // Deleted first, so that the map's order is by age and the oldest is the first.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    if (this.#entries.size > this.#maxEntries) this.#entries.delete(this.#entries.keys().next().value ?? key);
    // A failed load is not cached.
    entry.value.catch(() => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    });
    return entry.value;
  }

  forget(key: string): void {
    this.#entries.delete(key);
  }
}
