import { randomUUID } from "node:crypto";
import { addAbortSignal } from "node:stream";
import { ProblemError } from "@svc/protocol/problem";
import { type BlobStore, blobKey } from "./blob-store.ts";
import type { Content } from "./content.ts";

/**
 * The objects that one call wrote before its commit. The runner of the call reports how it ended; after a crash nobody
 * does, and the sweep removes them a day later.
 */
export class PendingObjects {
  readonly #store: BlobStore;
  readonly #tenantId: string;
  readonly #signal: AbortSignal;
  /** By digest, so that a retried transaction, or one that puts the same content twice, finds what was written. */
  readonly #storageKeys = new Map<string, string>();

  constructor(store: BlobStore, tenantId: string, signal: AbortSignal) {
    this.#store = store;
    this.#tenantId = tenantId;
    this.#signal = signal;
  }

  /** Returns its storage key. */
  async write(content: Content): Promise<string> {
    const written = this.#storageKeys.get(content.sha256);
    if (written !== undefined) return written;
    const storageKey = randomUUID();
    const key = blobKey(this.#tenantId, storageKey);
    const stream = content.read();
    // The store listens only once it begins to write. Until then an unhandled error would end the process: a caller who
    // leaves at that point would take everybody else down.
    stream.on("error", () => {});
    const { sha256 } = await this.#store.write(key, addAbortSignal(this.#signal, stream));
    this.#storageKeys.set(sha256, storageKey);
    if (sha256 === content.sha256) return storageKey;
    throw new ProblemError(
      "digest_mismatch",
      "The content changed while it was being stored. Send it again.",
    );
  }

  /** The same for contents that are files of this machine, all at once. */
  async adopt(contents: readonly (Content & { place: string })[]): Promise<void> {
    this.#signal.throwIfAborted();
    const files = contents
      .filter(({ sha256 }) => !this.#storageKeys.has(sha256))
      .map(({ place, size, sha256 }) => ({ place, size, sha256, storageKey: randomUUID() }));
    // Before they are there: whatever has come of them must be removed.
    for (const { sha256, storageKey } of files) this.#storageKeys.set(sha256, storageKey);
    await this.#store.adopt(
      files.map(({ storageKey, ...file }) => ({ ...file, key: blobKey(this.#tenantId, storageKey) })),
    );
  }

  /**
   * For a call whose end is known. If the answer to a commit was lost, nothing may be removed, because the commit may
   * have happened.
   */
  async removeExcept(adopted: ReadonlySet<string>): Promise<void> {
    const unused = [...this.#storageKeys.values()].filter((storageKey) => !adopted.has(storageKey));
    await Promise.all(unused.map((storageKey) => this.#store.remove(blobKey(this.#tenantId, storageKey))));
  }
}
