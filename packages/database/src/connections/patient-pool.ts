import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

const firstPauseMillis = 200;
const longestPauseMillis = 30_000;

/** Called before each pause: why there was no connection, and when the next try is. */
export type OnRefused = (error: Error, pauseMillis: number) => void;

type OnConnected = Parameters<pg.Pool["connect"]>[0];

/**
 * A pool for code that ends if it gets no connection: it waits for the database instead, whether that is down or
 * refuses the password. All who wait share one try and one growing pause.
 */
export class PatientPool extends pg.Pool {
  readonly #onRefused: OnRefused;
  readonly #leaving = new AbortController();
  #pause: Promise<void> | undefined;
  #refusals = 0;

  constructor(options: pg.PoolConfig, onRefused: OnRefused) {
    super(options);
    this.#onRefused = onRefused;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: OnConnected): void;
  override connect(callback?: OnConnected): Promise<pg.PoolClient> | undefined {
    const connected = this.#connect();
    if (!callback) return connected;
    connected.then(
      (client) => callback(undefined, client, client.release),
      (error: Error) => callback(error, undefined, () => {}),
    );
    return undefined;
  }

  /** From now on a failure to connect is one. */
  stopWaiting(): void {
    this.#leaving.abort();
  }

  async #connect(): Promise<pg.PoolClient> {
    for (;;) {
      await this.#pause;
      try {
        const client = await super.connect();
        this.#refusals = 0;
        return client;
      } catch (error) {
        // graphile-worker marks jobs as done without waiting for it: nobody would handle a failure after the end.
        if (this.ending) return await new Promise<never>(() => {});
        if (this.#leaving.signal.aborted) throw error;
        this.#pause ??= this.#rest(error as Error);
      }
    }
  }

  async #rest(error: Error): Promise<void> {
    const longest = Math.min(longestPauseMillis, firstPauseMillis * 2 ** this.#refusals);
    const pauseMillis = Math.round(longest * (0.5 + Math.random() / 2));
    this.#refusals += 1;
    this.#onRefused(error, pauseMillis);
    const { signal } = this.#leaving;
    await sleep(pauseMillis, undefined, { signal }).catch(() => {});
    this.#pause = undefined;
  }
}
