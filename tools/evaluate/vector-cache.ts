import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { type Embedder, embeddingDimensions } from "@svc/embedding/embedder";

const hashBytes = 32;
const recordBytes = hashBytes + embeddingDimensions * 4;

/** Vectors of documents by their text, in a file that stays: evaluating again embeds only what is new. */
export class VectorCache {
  readonly #embedder: Embedder;
  readonly #path: string;
  readonly #known = new Map<string, Float32Array>();

  constructor(embedder: Embedder) {
    this.#embedder = embedder;
    const cache = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
    this.#path = join(cache, "svc", "evaluation", `${embedder.model.replace(/[^\w.-]/g, "_")}.vectors`);
    mkdirSync(dirname(this.#path), { recursive: true });
    if (!existsSync(this.#path)) return;
    const stored = readFileSync(this.#path);
    // What was cut off while it was written is embedded again.
    for (let at = 0; at + recordBytes <= stored.length; at += recordBytes) {
      const vector = stored.buffer.slice(
        stored.byteOffset + at + hashBytes,
        stored.byteOffset + at + recordBytes,
      );
      this.#known.set(stored.toString("hex", at, at + hashBytes), new Float32Array(vector));
    }
  }

  async of(text: string): Promise<{ hash: Buffer; vector: Float32Array }> {
    const hash = createHash("sha256").update(text).digest();
    const known = this.#known.get(hash.toString("hex"));
    if (known) return { hash, vector: known };
    const { vectors } = await this.#embedder.embed([text], {
      purpose: "document",
      signal: AbortSignal.timeout(60_000),
    });
    const [vector] = vectors;
    if (!vector) throw new Error("the embedder answered nothing");
    this.#known.set(hash.toString("hex"), vector);
    appendFileSync(
      this.#path,
      Buffer.concat([hash, Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)]),
    );
    return { hash, vector };
  }
}
