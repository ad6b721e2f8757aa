import { setImmediate as nextTurn } from "node:timers/promises";

const longestMillis = 50;

/** For work that never waits for anything: lets progress be drawn and Ctrl-C be heard in between. */
export class Breather {
  #last = performance.now();

  async breathe(): Promise<void> {
    if (performance.now() - this.#last < longestMillis) return;
    await nextTurn();
    this.#last = performance.now();
  }
}
