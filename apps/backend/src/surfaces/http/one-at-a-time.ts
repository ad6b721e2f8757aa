import { untilAborted } from "./call-signal.ts";

/** Work under one name: callers wait for the previous one. */
export class OneAtATime {
  readonly #running = new Map<string, Promise<unknown>>();

  async run<T>(name: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    for (let other = this.#running.get(name); other; other = this.#running.get(name)) {
      await untilAborted(signal, other);
    }
    const running = work();
    this.#running.set(
      name,
      running.then(
        () => this.#running.delete(name),
        () => this.#running.delete(name),
      ),
    );
    return running;
  }
}
