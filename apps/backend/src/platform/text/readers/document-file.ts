import { fstatSync, readSync } from "node:fs";

/** The document, open for reading. Readers do not get its name; they go by the content. */
export class DocumentFile {
  readonly descriptor: number;
  readonly size: number;
  /** Set if only the reader can tell. */
  mediaType: string | undefined;

  constructor(descriptor: number) {
    this.descriptor = descriptor;
    this.size = fstatSync(descriptor).size;
  }

  readStart(maxBytes: number): Buffer {
    const bytes = Buffer.allocUnsafeSlow(Math.min(this.size, maxBytes));
    let length = 0;
    while (length < bytes.length) {
      const read = readSync(this.descriptor, bytes, length, bytes.length - length, length);
      if (read === 0) break;
      length += read;
    }
    return bytes.subarray(0, length);
  }
}
