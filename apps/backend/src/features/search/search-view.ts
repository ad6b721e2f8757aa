import { entityTypes } from "@svc/search/documents";
import { z } from "zod";

const SearchHit = z.object({
  entityType: z.enum(entityTypes),
  id: z.string(),
  workspaceId: z.string(),
  title: z.string(),
  /** Of a file or folder from the top of its workspace; of a record the collection that it is in. */
  path: z.string().optional(),
  mediaType: z.string().optional(),
  snippet: z.array(z.object({ text: z.string(), match: z.boolean() })).optional(),
  /** Characters of the text before the snippet. */
  snippetStart: z.int().optional(),
  matchedBy: z.array(z.enum(["fulltext", "semantic"])),
  score: z.number(),
  updatedAt: z.iso.datetime(),
  explain: z
    .object({
      tier: z.enum(["some words", "all words", "all words in its name", "its name"]),
      inText: z.number(),
      inName: z.number(),
      recency: z.number(),
      words: z.array(
        z.object({ word: z.string(), weight: z.number(), documents: z.int(), atLeast: z.boolean() }),
      ),
    })
    .optional(),
});

export const SearchResult = z.object({
  items: z.array(SearchHit),
  nextCursor: z.string().optional(),
  total: z.object({ value: z.int(), relation: z.enum(["eq", "gte"]) }),
  semantic: z.object({ state: z.enum(["used", "off", "unavailable"]), embedded: z.int(), waiting: z.int() }),
  partial: z.boolean().optional(),
  suggestions: z.array(z.string()).optional(),
  tookMs: z.int(),
});

/** As people read it: where it is, and under that what matched. */
export function hitsText({ items, total, partial, suggestions = [] }: z.output<typeof SearchResult>): string {
  const lines = items.flatMap(({ entityType, title, path, id, snippet, snippetStart = 0 }) => [
    entityType === "RECORD"
      ? `${title}  (record of ${path}, ${id})`
      : `${path ?? title}  (${entityType.toLowerCase()}, ${id})`,
    ...(snippet ? [`    ${snippetStart > 0 ? "…" : ""}${snippetText(snippet)}`] : []),
  ]);
  const count =
    total.value === 0
      ? "Nothing found"
      : `${total.relation === "gte" ? "at least " : ""}${total.value} found`;
  return [
    ...lines,
    partial ? `${count}; it took too long, so not everything was looked at` : count,
    ...(suggestions.length === 0 ? [] : [`Did you mean: ${suggestions.join(", ")}`]),
  ].join("\n");
}

function snippetText(snippet: readonly { text: string; match: boolean }[]): string {
  return snippet
    .map(({ text, match }) => (match ? `[${text}]` : text))
    .join("")
    .replace(/\s+/gu, " ")
    .trim();
}
