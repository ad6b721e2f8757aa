import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Bytes of buffers that are still needed, more than at the start. Without a collection before each look it would count
 * what is only not yet freed, as the size of the process does: that depends on how busy the machine is.
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
