import { createHash } from "node:crypto";
import { Readable } from "node:stream";

/** What can be put. Its digest is known before it is written, so that a preview can do everything but write. */
export interface Content {
  readonly size: number;
  readonly sha256: string;
  read(): Readable;
}

/** For what a command makes itself. */
export function contentOf(bytes: Uint8Array): Content {
  return {
    size: bytes.length,
    sha256: createHash("sha256").update(bytes).digest("hex"),
    // Not as an iterable: those are streamed byte by byte.
    read: () => Readable.from(bytes.length === 0 ? [] : [bytes]),
  };
}
