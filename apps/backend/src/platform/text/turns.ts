/** At most so many at once; the others wait in line, but not for ever. */
export class Turns {
  readonly #waiting: { give: () => void }[] = [];
  #free: number;

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  /** Answers with what gives the turn back, or with nothing where the signal came first. */
  async take(signal: AbortSignal): Promise<(() => void) | undefined> {
    if (signal.aborted) return undefined;
    if (this.#free > 0) {
      this.#free -= 1;
      return () => this.#giveBack();
    }
    const { promise, resolve } = Promise.withResolvers<(() => void) | undefined>();
    const waiting = { give: () => resolve(() => this.#giveBack()) };
    this.#waiting.push(waiting);
    const leave = () => {
      const place = this.#waiting.indexOf(waiting);
      if (place === -1) return;
      this.#waiting.splice(place, 1);
      resolve(undefined);
    };
    signal.addEventListener("abort", leave, { once: true });
    const turn = await promise;
    signal.removeEventListener("abort", leave);
    return turn;
  }

  #giveBack(): void {
    const next = this.#waiting.shift();
    if (next) next.give();
    else this.#free += 1;
  }
}
