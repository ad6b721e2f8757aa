import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from "@fastify/rate-limit";
import { LRUCache } from "lru-cache";

interface Count {
  current: number;
  since: number;
}

/** Counts requests by key, each from its first request until the time window ends. The library's store has no clock that a test can move. */
export function rateCounts(maxKeys: number, now = () => performance.now()): FastifyRateLimitStoreCtor {
  return class RateCounts implements FastifyRateLimitStore {
    readonly #counts = new LRUCache<string, Count>({ max: maxKeys });

    incr(
      key: string,
      answer: (error: null, result: { current: number; ttl: number }) => void,
      timeWindow: number,
    ): void {
      const at = now();
      const known = this.#counts.get(key);
      const count = known && at < known.since + timeWindow ? known : { current: 0, since: at };
      count.current += 1;
      this.#counts.set(key, count);
      answer(null, { current: count.current, ttl: count.since + timeWindow - at });
    }

    child(): FastifyRateLimitStore {
      return new RateCounts();
    }
  };
}
