import { setTimeout as sleep } from "node:timers/promises";

const longestMillis = 600_000;

/** Waits as long as a server's rate limit asks, ten minutes in all; requests that wait side by side wait once. */
export class LimitWait {
  #until = 0;
  #millis = 0;

  /** False at once if it would be too long. */
  async wait(seconds: number, signal: AbortSignal, onBegin: () => void): Promise<boolean> {
    const now = performance.now();
    const until = now + seconds * 1_000;
    const more = Math.max(0, until - Math.max(now, this.#until));
    if (this.#millis + more > longestMillis) return false;
    this.#millis += more;
    this.#until = Math.max(until, this.#until);
    onBegin();
    await sleep(until - now, undefined, { signal }).catch(() => signal.throwIfAborted());
    return true;
  }
}
