import { write } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "@svc/machine/failure";

const wholeChunk = 256 * 1_024;

/** `svc … | head` closes the pipe early, which is not an error. */
export class ReaderGone extends Error {
  override readonly name = "ReaderGone";
}

/**
 * Writes everything in order and resolves once it is written: `process.stdout.write` followed by an exit loses what a
 * pipe has not accepted yet, and hides a full disk.
 */
export class Output {
  readonly #descriptor: number;
  readonly #name: string;
  #last: Promise<void> = Promise.resolve();

  constructor(descriptor: number, name: string) {
    this.#descriptor = descriptor;
    this.#name = name;
  }

  write(text: string | Uint8Array): Promise<void> {
    const bytes = typeof text === "string" ? Buffer.from(text) : text;
    this.#last = this.#last.then(() => this.#writeAll(bytes));
    return this.#last;
  }

  async #writeAll(bytes: Uint8Array): Promise<void> {
    let done = 0;
    while (done < bytes.length) {
      try {
        const length = Math.min(wholeChunk, bytes.length - done);
        done += await writeSome(this.#descriptor, bytes, done, length);
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === "EPIPE") throw new ReaderGone();
        // Somebody made the pipe non-blocking, and its reader is slow.
        if (code === "EAGAIN") await sleep(5);
        else
          throw new Failure("disk", `${this.#name} cannot be written: ${code}.`, {
            hint: remedy(code),
            cause: error,
          });
      }
    }
  }
}

/** Not promisify, which gives a number in one runtime and an object in another. */
function writeSome(descriptor: number, bytes: Uint8Array, from: number, length: number): Promise<number> {
  return new Promise((resolve, reject) => {
    write(descriptor, bytes, from, length, null, (error, written) =>
      error ? reject(error) : resolve(written),
    );
  });
}

function remedy(code: string | undefined): string {
  if (code === "EBADF") return "It is closed: send it to a file or to /dev/null.";
  if (code === "ENOSPC" || code === "EDQUOT") return "The disk is full: free some space, or write elsewhere.";
  return "Write to another location.";
}
