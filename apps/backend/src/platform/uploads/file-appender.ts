import type { Hash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { countBlock } from "../process/collect-blocks.ts";

interface Appending {
  file: FileHandle;
  /** Of everything before `end`; digests what is added. */
  hash: Hash;
  end: number;
  onWritten(bytes: number): void;
}

/** More waits only while the disk is slower than the sender. */
const heldBytes = 256 * 1_024;
/** The disk keeps what it has while more arrives, so that little is left to wait for at the end. */
const syncBytes = 4 * 1024 ** 2;

/**
 * Adds blocks to the end of a file. What arrives while one batch is written is the next batch, and a batch is digested
 * while the disk takes it.
 */
export class FileAppender {
  readonly #parts: Omit<Appending, "end">;
  #end: number;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #batch: Promise<void> | undefined;
  #writing: Promise<void> | undefined;
  #syncing: Promise<void> | undefined;
  #syncAt: number;
  #isKept = true;

  constructor({ end, ...parts }: Appending) {
    this.#parts = parts;
    this.#end = end;
    this.#syncAt = end + syncBytes;
  }

  /** Resolves when there is room for more. Throws if an earlier block could not be written. */
  async add(block: Buffer): Promise<void> {
    this.#waiting.push(block);
    this.#waitingBytes += block.length;
    this.#writing ??= observed(this.#writeAll());
    if (this.#waitingBytes >= heldBytes) await this.#batch;
  }

  /** The file has everything that was added, and would keep it if the power failed. */
  async finish(): Promise<void> {
    await this.#writing;
    await this.#syncing;
    // guard: pieces-are-synced
    await this.#sync();
  }

  /** Of a file that is not finished. `isKept`: if a sync fails, nobody knows what the disk has. */
  async abandon(): Promise<{ isWritten: boolean; isKept: boolean }> {
    const [writing] = await Promise.allSettled([this.#writing]);
    await Promise.allSettled([this.#syncing]);
    return { isWritten: writing.status === "fulfilled", isKept: this.#isKept };
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      this.#batch = observed(this.#writeBatch());
      await this.#batch;
    }
    // After a failure it stays, so that nothing is written behind the gap.
    this.#writing = undefined;
  }

  /** At its own position, not at the current end: a late piece from another process writes the same bytes there. */
  async #writeBatch(): Promise<void> {
    const { file, hash, onWritten } = this.#parts;
    const [blocks, bytes] = [this.#waiting, this.#waitingBytes];
    [this.#waiting, this.#waitingBytes] = [[], 0];
    const writing = file.writev(blocks, this.#end);
    for (const block of blocks) hash.update(block);
    const { bytesWritten } = await writing;
    this.#end += bytesWritten;
    onWritten(bytesWritten);
    countBlock(bytes);
    if (bytesWritten < bytes) throw new Error("the disk accepted only part of a piece");
    if (this.#end < this.#syncAt) return;
    await this.#syncing;
    this.#syncing = observed(this.#sync());
    this.#syncAt = this.#end + syncBytes;
  }

  async #sync(): Promise<void> {
    try {
      await this.#parts.file.datasync();
    } catch (error) {
      this.#isKept = false;
      throw error;
    }
  }
}

/** Somebody awaits it later. */
function observed(work: Promise<void>): Promise<void> {
  work.catch(() => {});
  return work;
}
