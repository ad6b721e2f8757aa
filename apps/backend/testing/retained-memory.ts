import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Growth of retained buffers since the start, in bytes. Without a collection before each check it would count what is
 * not yet freed, like the size of the process, which depends on the load of the machine.
 */
export class RetainedMemory {
  readonly #collectGarbage = exposedGarbageCollector();
  readonly #before = this.#retained();
  most = 0;

  look(): void {
    this.most = Math.max(this.most, this.#retained() - this.#before);
  }

  #retained(): number {
    this.#collectGarbage();
    return process.memoryUsage().arrayBuffers;
  }
}

function exposedGarbageCollector(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
}
