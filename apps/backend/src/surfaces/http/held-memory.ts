import { constants, PerformanceObserver } from "node:perf_hooks";
import { getHeapStatistics } from "node:v8";
import { collectAll } from "../../platform/process/collect-blocks.ts";

/** What a process knows of its memory. Tests say it instead. */
export interface MemoryReading {
  /** Share of what V8 lets the heap grow to; buffers outside the heap count as well. */
  share(): number;
  /** Collects all garbage soon. */
  collect(): void;
  /** Calls back after each collection of the whole heap, until it is stopped. */
  onCollected(listener: () => void): () => void;
}

/** A collection of a large heap takes a second, so it is asked for rarely. */
const millisBetweenCollections = 10_000;

/**
 * Whether memory is short. Only what a collection leaves counts: garbage lies about until V8 needs its room, and pages
 * that a burst took stay with the process.
 */
export class HeldMemory {
  readonly #reading: MemoryReading;
  readonly #limit: number;
  readonly #now: () => number;
  readonly #stop: () => void;
  #held = 0;
  #collectedAt = Number.NEGATIVE_INFINITY;

  constructor(limit: number, { reading, now }: { reading: MemoryReading; now: () => number }) {
    this.#limit = limit;
    this.#reading = reading;
    this.#now = now;
    this.#stop = reading.onCollected(() => {
      this.#held = reading.share();
    });
  }

  isShort(): boolean {
    if (this.#reading.share() <= this.#limit) return false;
    // A process that refuses everything makes no garbage, so V8 would never look again.
    if (this.#now() - this.#collectedAt >= millisBetweenCollections) {
      this.#collectedAt = this.#now();
      this.#reading.collect();
    }
    // guard: garbage-sheds-nothing
    return this.#held > this.#limit;
  }

  close(): void {
    this.#stop();
  }
}

interface Collection {
  detail?: { kind?: number };
}

export const processMemory: MemoryReading = {
  share() {
    const { used_heap_size, external_memory, heap_size_limit } = getHeapStatistics();
    return (used_heap_size + external_memory) / heap_size_limit;
  },
  collect() {
    collectAll();
  },
  onCollected(listener) {
    const observer = new PerformanceObserver((list) => {
      const kinds = (list.getEntries() as unknown as Collection[]).map(({ detail }) => detail?.kind);
      if (kinds.includes(constants.NODE_PERFORMANCE_GC_MAJOR)) listener();
    });
    observer.observe({ entryTypes: ["gc"] });
    return () => observer.disconnect();
  },
};
