import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";

import { Failure } from "../failure.ts";

const blockBytes = 1_024 * 1_024;

/** A file being received, digested as it arrives. The part from an earlier attempt counts. */
export class PartFile {
  done = 0;
  readonly descriptor: number;
  readonly #hash = createHash("sha256");
  readonly #block = Buffer.alloc(blockBytes);

  constructor(path: string, size: number) {
    // A link that somebody left here would lead elsewhere.
    const flags = constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
    this.descriptor = openSync(path, flags, 0o666);
    const found = fstatSync(this.descriptor);
    if (!found.isFile() || found.nlink > 1)
      throw new Failure("disk", `${path} is also linked from elsewhere.`);
    // If it is longer than the download, it is something else.
    if (found.size > size) ftruncateSync(this.descriptor, 0);
    while (this.catchUp());
  }

  write(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; ) {
      at += writeSync(this.descriptor, chunk, at, chunk.length - at, this.done + at);
    }
    this.#take(chunk);
  }

  /** Digests some of the bytes written since; returns whether there were any. */
  catchUp(): boolean {
    const read = readSync(this.descriptor, this.#block, 0, blockBytes, this.done);
    this.#take(this.#block.subarray(0, read));
    return read > 0;
  }

  /** To be called once, when the file is complete. */
  digest(): string {
    return this.#hash.digest("hex");
  }

  close(): void {
    closeSync(this.descriptor);
  }

  #take(chunk: Uint8Array): void {
    this.#hash.update(chunk);
    this.done += chunk.length;
  }
}
