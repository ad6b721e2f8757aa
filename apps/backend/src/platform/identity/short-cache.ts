import { LRUCache } from "lru-cache";

/**
 * Caches loaded values for a few seconds: long enough to save a lookup per request, short enough that a revocation
 * takes effect within 10 s on every process without notifying them. Concurrent callers share one load, and "not found"
 * is cached too.
 */
export class ShortCache<Value> {
  readonly #loads: LRUCache<string, Promise<Value>>;

  constructor(timeToLive: number, maxEntries = 10_000, now = () => performance.now()) {
    // The library never expires an entry whose time is 0.
    const perf = { now: () => now() + 1 };
    this.#loads = new LRUCache({ max: maxEntries, ttl: timeToLive, ttlResolution: 0, perf });
  }

  get(key: string, load: () => Promise<Value>): Promise<Value> {
    const loading = this.#loads.get(key);
    if (loading) return loading;
    const value = load();
    this.#loads.set(key, value);
    // A failed load is not cached.
    value.catch(() => {
      if (this.#loads.peek(key) === value) this.#loads.delete(key);
    });
    return value;
  }

  forget(key: string): void {
    this.#loads.delete(key);
  }
}
