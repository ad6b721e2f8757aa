import { createHash } from "node:crypto";
import { Transform, type TransformCallback } from "node:stream";
import { countBlock } from "../process/collect-blocks.ts";
import type { Written } from "./blob-store.ts";

/** Passes bytes through, and has their size and digest at the end. */
export class DigestStream extends Transform {
  readonly #digest = createHash("sha256");
  #size = 0;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#digest.update(chunk);
    this.#size += chunk.length;
    countBlock(chunk.length);
    done(null, chunk);
  }

  written(): Written {
    return { size: this.#size, sha256: this.#digest.digest("hex") };
  }
}
