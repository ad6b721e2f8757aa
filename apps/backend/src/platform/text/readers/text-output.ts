import { closeSync, writeSync } from "node:fs";
import { maxTextBytes } from "./extraction-limits.ts";
import { ReadingEnded } from "./reading-ended.ts";
import { storable } from "./storable.ts";

/** In UTF-16 units: one write for many words. */
const pieceLength = 64 * 1024;

/**
 * The output of readers: it is written piece by piece, so that text read before a crash is not lost, and ends reading
 * when it is full. Writes block, because a synchronous pipe waits for its reader.
 */
export class TextOutput {
  readonly #descriptor: number;
  #pending = "";
  #bytesLeft = maxTextBytes;
  #hasWords = false;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  get isEmpty(): boolean {
    return !this.#hasWords && !/\S/.test(this.#pending);
  }

  write(text: string): void {
    this.#pending += text;
    if (this.#pending.length < pieceLength) return;
    if (!this.#send(endsInPairsMiddle(this.#pending) ? -1 : undefined)) throw new ReadingEnded("truncated");
  }

  flush(): void {
    if (!this.#send()) throw new ReadingEnded("truncated");
  }

  /** A NUL, which the text cannot contain, marks the start of the outcome: without one, the reader died. */
  end(outcome: object): void {
    this.#send();
    writeAll(this.#descriptor, Buffer.from(`\0${JSON.stringify(outcome)}`));
    closeSync(this.#descriptor);
  }

  /** False if not all of it fit. */
  #send(until?: number): boolean {
    const text = storable(this.#pending.slice(0, until));
    this.#pending = until === undefined ? "" : this.#pending.slice(until);
    this.#hasWords ||= /\S/.test(text);
    // Three bytes hold any UTF-16 unit. A character that does not fit is dropped whole.
    const bytes = Buffer.allocUnsafe(Math.min(text.length * 3, this.#bytesLeft));
    const { read, written } = new TextEncoder().encodeInto(text, bytes);
    writeAll(this.#descriptor, bytes.subarray(0, written));
    this.#bytesLeft -= written;
    return read === text.length;
  }
}

function endsInPairsMiddle(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last < 0xdc00;
}

function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let sent = 0; sent < bytes.length; ) sent += writeSync(descriptor, bytes, sent);
}
