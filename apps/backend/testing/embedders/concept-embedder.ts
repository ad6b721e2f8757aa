import { type Embedded, type Embedder, embeddingDimensions } from "@svc/embedding/embedder";

/** Words that mean the same. */
const concepts = [
  ["car", "automobile", "vehicle"],
  ["doctor", "physician", "surgeon"],
  ["rain", "drizzle", "downpour"],
  ["money", "cash", "funds"],
];

/** A model that knows a handful of synonyms, treats every other word literally, and can be scripted by a test. */
export class ConceptEmbedder implements Embedder {
  readonly model = "concepts";
  readonly maxTokens = 1_000;
  readonly textsPerRequest = 100;
  readonly leastSimilarity = 0.3;
  /** Texts that it was asked to embed. */
  readonly asked: string[] = [];
  /** What it does before it answers. */
  before: () => Promise<void> = async () => {};

  countTokens(text: string): number {
    return text.split(/\s+/u).length;
  }

  async embed(texts: readonly string[]): Promise<Embedded> {
    this.asked.push(...texts);
    await this.before();
    return {
      vectors: texts.map(conceptVector),
      tokens: texts.reduce((sum, text) => sum + this.countTokens(text), 0),
    };
  }
}

export function conceptVector(text: string): Float32Array {
  const vector = new Float32Array(embeddingDimensions);
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    const concept = concepts.findIndex((words) => words.includes(word));
    const place =
      concept >= 0 ? concept : concepts.length + (hash(word) % (embeddingDimensions - concepts.length));
    vector[place] = (vector[place] ?? 0) + 1;
  }
  const norm = Math.hypot(...vector) || 1;
  return vector.map((value) => value / norm);
}

function hash(word: string): number {
  return [...word].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) >>> 0, 7);
}
