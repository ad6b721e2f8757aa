import type { Readable } from "node:stream";
import { countBlock } from "../process/collect-blocks.ts";

/** What arrives; the stream stays open if the reader stops. */
export function blocksOf(content: Readable): AsyncIterable<Buffer> {
  return content.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
}

/** Reads a stream by lines and by numbers of bytes. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(content: Readable) {
    this.#chunks = blocksOf(content)[Symbol.asyncIterator]();
  }

  /** Without its end; undefined at the end of the stream, or if the line is longer than allowed. */
  async line(longest: number): Promise<string | undefined> {
    for (;;) {
      const end = this.#rest.indexOf(10);
      if (end >= 0 && end <= longest) return this.#cut(end, end + 1).toString("utf8");
      if (end >= 0 || this.#rest.length > longest || !(await this.#more())) return undefined;
    }
  }

  /** Undefined if the stream ends before. */
  async take(size: number): Promise<Buffer | undefined> {
    while (this.#rest.length < size) if (!(await this.#more())) return undefined;
    return this.#cut(size, size);
  }

  async isAtEnd(): Promise<boolean> {
    return this.#rest.length === 0 && !(await this.#more());
  }

  #cut(end: number, next: number): Buffer {
    const cut = this.#rest.subarray(0, end);
    this.#rest = this.#rest.subarray(next);
    return cut;
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#chunks.next();
    if (done) return false;
    countBlock(value.length);
    this.#rest = this.#rest.length === 0 ? value : Buffer.concat([this.#rest, value]);
    return true;
  }
}
