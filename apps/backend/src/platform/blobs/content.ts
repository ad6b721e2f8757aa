import { createHash } from "node:crypto";
import { Readable } from "node:stream";

/** Content to put. Its digest is known before the write, so that a preview can do everything except write. */
export interface Content {
  readonly size: number;
  readonly sha256: string;
  read(): Readable;
  /** A durable file on this machine that never changes again: the store takes it as it is. */
  readonly place?: string;
}

/** For content that a command generates. */
export function contentOf(bytes: Uint8Array): Content {
  return {
    size: bytes.length,
    sha256: createHash("sha256").update(bytes).digest("hex"),
    // Not as an iterable, which would be streamed byte by byte.
    read: () => Readable.from(bytes.length === 0 ? [] : [bytes]),
  };
}
