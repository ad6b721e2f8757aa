import { createHash } from "node:crypto";
import { Failure } from "@svc/machine/failure";
import type { Answer } from "@svc/machine/network/http";
import { packHead } from "@svc/protocol/pack";

interface Wanted {
  sha256: string;
  size: number;
}

/**
 * The contents of a pack, one after the other, each checked. It must have exactly what was asked for, in that order. If
 * it ends early, so do the contents.
 */
export async function* readPack<File extends Wanted>(
  answer: Pick<Answer, "chunks">,
  wanted: readonly File[],
): AsyncGenerator<{ file: File; content: Buffer }> {
  const bytes = new ByteReader(answer.chunks());
  try {
    for (const file of wanted) {
      const head = packHead(file);
      const [found, content] = [await bytes.read(head.length), await bytes.read(file.size)];
      if (!head.startsWith(found.toString("latin1"))) throw new Mismatch();
      if (found.length < head.length || content.length < file.size) return;
      if (createHash("sha256").update(content).digest("hex") !== file.sha256) throw new Mismatch();
      yield { file, content };
    }
    if ((await bytes.read(1)).length > 0) throw new Mismatch();
  } finally {
    await bytes.close();
  }
}

export class Mismatch extends Failure {
  constructor() {
    super("internal", "The received data does not match its digest. Nothing was saved.", {
      hint: "Try again.",
    });
  }
}

class ByteReader {
  readonly #chunks: AsyncGenerator<Uint8Array>;
  #chunk: Uint8Array = new Uint8Array();

  constructor(chunks: AsyncGenerator<Uint8Array>) {
    this.#chunks = chunks;
  }

  /** Fewer if there are no more. */
  async read(size: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafe(size);
    let filled = 0;
    while (filled < size && (await this.#hasMore())) {
      const taken = this.#chunk.subarray(0, size - filled);
      bytes.set(taken, filled);
      filled += taken.length;
      this.#chunk = this.#chunk.subarray(taken.length);
    }
    return bytes.subarray(0, filled);
  }

  async close(): Promise<void> {
    await this.#chunks.return(undefined);
  }

  async #hasMore(): Promise<boolean> {
    while (this.#chunk.length === 0) {
      const { done, value } = await this.#chunks.next();
      if (done) return false;
      this.#chunk = value;
    }
    return true;
  }
}
