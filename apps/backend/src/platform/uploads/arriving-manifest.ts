import { type FileHandle, mkdir, open, rename, rm, rmdir } from "node:fs/promises";
import { dirname } from "node:path";
import type { Readable } from "node:stream";
import { attribute } from "../process/dependency.ts";
import { blocksOf } from "./byte-reader.ts";

interface Room {
  /** Reserves room for so many bytes until they are settled. */
  claim(bytes: number): Promise<void>;
  settle(bytes: number): void;
}

/** A manifest on its way to the disk, which nobody holds as a whole. */
export class ArrivingManifest {
  readonly #place: string;
  readonly #room: Room;
  #file: FileHandle | undefined;
  #isFolderNew = false;
  #claimed = 0;

  constructor(place: string, room: Room) {
    this.#place = place;
    this.#room = room;
  }

  /** The same blocks; there is room for each before it is kept, and the next one is read only after that. */
  async *blocks(content: Readable, length: number | undefined): AsyncGenerator<Buffer> {
    // It may break before it is read; its reader notices.
    content.on("error", () => {});
    // guard: room-before-manifests
    if (length !== undefined) await this.#claim(length);
    for await (const block of blocksOf(content)) {
      // guard: room-before-blocks
      if (block.length > this.#claimed) await this.#claim(block.length - this.#claimed);
      await attribute("store", () => this.#write(block));
      this.#settle(Math.min(block.length, this.#claimed));
      yield block;
    }
  }

  async keepAs(place: string): Promise<void> {
    await this.#file?.sync();
    await this.#file?.close();
    await rename(this.#place, place);
    this.#settle(this.#claimed);
  }

  /** Nothing is left of it, nor of its folder, unless something else has arrived there. */
  async discard(): Promise<void> {
    this.#settle(this.#claimed);
    await this.#file?.close().catch(() => {});
    await rm(this.#place, { force: true });
    if (this.#isFolderNew) await rmdir(dirname(this.#place)).catch(() => {});
  }

  async #write(block: Buffer): Promise<void> {
    if (!this.#file) {
      const made = await mkdir(dirname(this.#place), { recursive: true, mode: 0o700 });
      this.#isFolderNew = made !== undefined;
      this.#file = await open(this.#place, "wx", 0o600);
    }
    await this.#file.writeFile(block);
  }

  async #claim(bytes: number): Promise<void> {
    await this.#room.claim(bytes);
    this.#claimed += bytes;
  }

  #settle(bytes: number): void {
    this.#room.settle(bytes);
    this.#claimed -= bytes;
  }
}
