import type { EmbeddingPurpose } from "../embedder.ts";

/** By the start of the model's name, without its owner. */
const prefixes: Record<string, Record<EmbeddingPurpose, string>> = {
  "nomic-embed-text": { document: "search_document: ", query: "search_query: " },
  embeddinggemma: { document: "title: none | text: ", query: "task: search result | query: " },
  "multilingual-e5": { document: "passage: ", query: "query: " },
};

/** Some models were trained with a prefix that says what a text is for, and find less without it. */
export function retrievalPrefix(model: string): Record<EmbeddingPurpose, string> | undefined {
  const name = model.slice(model.lastIndexOf("/") + 1).toLowerCase();
  return Object.entries(prefixes).find(([beginning]) => name.startsWith(beginning))?.[1];
}
