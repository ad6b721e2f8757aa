import type { Readable } from "node:stream";
import { attribute, markOrigin } from "../process/dependency.ts";
import type { BlobStore, ByteRange, OwnFile, Written } from "./blob-store.ts";

/** Marks the errors of a store as the store's, so that nobody takes its outage for the database's. */
export class AttributedStore implements BlobStore {
  readonly #store: BlobStore;

  constructor(store: BlobStore) {
    this.#store = store;
  }

  async write(key: string, content: Readable): Promise<Written> {
    try {
      return await this.#store.write(key, content);
    } catch (error) {
      throw isOf(content, error) ? error : markOrigin(error, "store");
    }
  }

  adopt(files: readonly OwnFile[]): Promise<void> {
    return attribute("store", () => this.#store.adopt(files));
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    const content = await attribute("store", () => this.#store.read(key, range));
    return content.on("error", (error) => markOrigin(error, "store"));
  }

  remove(key: string): Promise<void> {
    return attribute("store", () => this.#store.remove(key));
  }

  async *list(before: Date): AsyncIterable<string> {
    try {
      yield* this.#store.list(before);
    } catch (error) {
      throw markOrigin(error, "store");
    }
  }

  check(signal: AbortSignal): Promise<void> {
    return attribute("store", () => this.#store.check(signal));
  }

  removeUnfinished(before: Date): Promise<number> {
    return attribute("store", () => this.#store.removeUnfinished(before));
  }
}

/** The sender failed, or left: a write ends with the error of what it reads from, too. */
function isOf(content: Readable, error: unknown): boolean {
  return error === content.errored || (error as NodeJS.ErrnoException).code === "ERR_STREAM_PREMATURE_CLOSE";
}
