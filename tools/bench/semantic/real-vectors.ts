import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { createEmbedder } from "@svc/embedding/create-embedder";
import type { Embedder } from "@svc/embedding/embedder";
import { bringLocalModel } from "@svc/testing/embedding-models";
import {
  type Collection,
  collectionNames,
  defaultCollections,
  readCollection,
} from "../../evaluate/collection.ts";
import { sampleCollection } from "../../evaluate/sample-collection.ts";
import { benchSize } from "../bench-size.ts";
import { Dice } from "../fulltext/words.ts";

export interface RealText {
  text: string;
  /** `embeddingDimensions` long, L2 norm 1. */
  vector: Float32Array;
}

export interface RealTexts {
  model: string;
  /** Below it nothing is shown. */
  leastSimilarity: number;
  documents: RealText[];
  /** Queries that people asked; none of the documents. */
  queries: RealText[];
}

/** In English, which the local model knows. */
const collections = ["scifact", "cacm", "cranfield", "cisi", "med", "vaswani"];
const documentsOfEach = 1_500;
const queriesOfEach = 60;
/** Part of a document: about as long as a chunk. */
const mostCharacters = 800;
/** Made of sentences of several documents: close to many texts, but closest to itself. */
const generated = benchSize(3_000, 20);
const sentencesOfEach = 4;
const atOnce = 50;

/** Texts with their vectors. Embedding takes minutes, so the vectors are kept in the user's cache. */
export async function readRealTexts(progress: (line: string) => void = console.error): Promise<RealTexts> {
  await bringLocalModel();
  const embedder = await createEmbedder({ kind: "local" });
  const { documents, queries } = readTexts();
  try {
    return {
      model: embedder.model,
      leastSimilarity: embedder.leastSimilarity ?? -1,
      documents: await embedOnce(embedder, "document", documents, progress),
      queries: await embedOnce(embedder, "query", queries, progress),
    };
  } finally {
    await embedder.close?.();
  }
}

function readTexts(): { documents: string[]; queries: string[] } {
  const read = benchSize(readCollections, () => [sampleCollection()])();
  const written = read.flatMap(({ documents }) =>
    documents
      .map(({ title, text }) => `${title}\n${text}`.trim().slice(0, mostCharacters))
      .filter((text) => text.length > 100)
      .slice(0, documentsOfEach),
  );
  return {
    documents: [...written, ...generateTexts(written)],
    queries: read.flatMap(({ queries }) => queries.slice(0, queriesOfEach).map(({ text }) => text.trim())),
  };
}

function readCollections(): Collection[] {
  const there = collectionNames(defaultCollections);
  const missing = collections.filter((name) => !there.includes(name));
  if (missing.length > 0) {
    throw new Error(
      `${defaultCollections} lacks ${missing.join(", ")}. SVC_COLLECTIONS says where collections are.`,
    );
  }
  return collections.map((name) => readCollection(defaultCollections, name));
}

function generateTexts(written: readonly string[]): string[] {
  const sentences = written.flatMap((text) => text.split(/(?<=[.!?])\s+/)).filter((text) => text.length > 40);
  const dice = new Dice(11);
  return Array.from({ length: generated }, () =>
    Array.from({ length: sentencesOfEach }, () => sentences[dice.between(0, sentences.length - 1)])
      .join(" ")
      .slice(0, mostCharacters),
  );
}

async function embedOnce(
  embedder: Embedder,
  purpose: "document" | "query",
  texts: readonly string[],
  progress: (line: string) => void,
): Promise<RealText[]> {
  const digest = createHash("sha256")
    .update(JSON.stringify([embedder.model, purpose, texts]))
    .digest("hex");
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "svc", "bench");
  const file = join(cache, `vectors-${digest.slice(0, 16)}`);
  if (!existsSync(file)) {
    const vectors: Float32Array[] = [];
    for (let start = 0; start < texts.length; start += atOnce) {
      const signal = new AbortController().signal;
      vectors.push(
        ...(await embedder.embed(texts.slice(start, start + atOnce), { purpose, signal })).vectors,
      );
      if (start % 1_000 === 0) progress(`embedded ${start} of ${texts.length}`);
    }
    mkdirSync(cache, { recursive: true });
    const bytes = vectors.map(({ buffer, byteOffset, byteLength }) =>
      Buffer.from(buffer, byteOffset, byteLength),
    );
    writeFileSync(`${file}.new`, Buffer.concat(bytes));
    renameSync(`${file}.new`, file);
  }
  const { buffer, byteOffset, byteLength } = readFileSync(file);
  const values = new Float32Array(buffer.slice(byteOffset, byteOffset + byteLength));
  const dimensions = values.length / texts.length;
  return texts.map((text, index) => ({
    text,
    vector: values.subarray(index * dimensions, (index + 1) * dimensions),
  }));
}
