import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Answered, Asked } from "./local-model-thread.ts";
import { endRuns, newRunState, type RunState } from "./run-state.ts";

/** The local model in a separate thread, so that callers can answer others and talk to a database while they wait. */
export class LocalModelRunner {
  readonly #thread: Worker;
  readonly #waiting: PromiseWithResolvers<Float32Array>[] = [];
  #failure: Error | undefined;
  #closed: Promise<void> | undefined;

  /** Fails if the runtime cannot be loaded or cannot read the weights. */
  static async start(weights: string): Promise<LocalModelRunner> {
    const run = newRunState();
    const thread = new Worker(new URL("./local-model-thread.ts", import.meta.url), {
      workerData: { weights, run },
    });
    await once(thread, "message");
    return new LocalModelRunner(thread, run);
  }

  private constructor(thread: Worker, run: RunState) {
    this.#thread = thread;
    // An idle model does not keep the process alive.
    thread.unref();
    thread.on("message", (answered: Answered) => {
      const asked = this.#waiting.shift();
      if (this.#waiting.length === 0) thread.unref();
      if ("vector" in answered) asked?.resolve(answered.vector);
      else asked?.reject(answered.failure);
    });
    thread.on("error", (error) => this.#fail(error));
    const endOfProcess = () => endRuns(run);
    process.once("exit", endOfProcess);
    thread.on("exit", () => {
      process.off("exit", endOfProcess);
      this.#fail(new Error("This embedder is closed."));
    });
  }

  run(tokens: Asked): Promise<Float32Array> {
    if (this.#failure) return Promise.reject(this.#failure);
    const asked = Promise.withResolvers<Float32Array>();
    this.#waiting.push(asked);
    this.#thread.ref();
    this.#thread.postMessage(tokens);
    return asked.promise;
  }

  /** Runs after earlier requests. */
  close(): Promise<void> {
    this.#closed ??= this.#end();
    return this.#closed;
  }

  async #end(): Promise<void> {
    if (this.#failure) return;
    const ended = once(this.#thread, "exit");
    this.#thread.ref();
    this.#thread.postMessage([] satisfies Asked);
    await ended;
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const asked of this.#waiting.splice(0)) asked.reject(this.#failure);
  }
}
