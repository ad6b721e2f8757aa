import { entityTypes } from "@svc/search/index/documents";
import { z } from "zod";

const SearchHit = z.object({
  entityType: z.enum(entityTypes),
  id: z.string(),
  workspaceId: z.string(),
  title: z.string(),
  /** For a file or folder, the path from the workspace root; for a record, its collection. */
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
      /**
       * If meaning took part: the score is the sum of both, each relative to the best, from `least` on; `weight` is the
       * share of meaning.
       */
      meaning: z
        .object({
          similarity: z.number().optional(),
          weight: z.number(),
          best: z.object({ words: z.number(), similarity: z.number() }),
          least: z.number(),
        })
        .optional(),
    })
    .optional(),
});

export const SearchResult = z.object({
  items: z.array(SearchHit),
  nextCursor: z.string().optional(),
  total: z.object({ value: z.int(), relation: z.enum(["eq", "gte"]) }),
  /** Whether meaning took part, and how many visible files are embedded and how many are waiting. */
  semantic: z.object({
    state: z.enum(["used", "off", "unavailable"]),
    embedded: z.int(),
    waiting: z.int(),
    /** Why it did not. */
    reason: z.string().optional(),
  }),
  partial: z.boolean().optional(),
  suggestions: z.array(z.string()).optional(),
  tookMs: z.int(),
});

/** For people: the path, and below it the matching text. */
export function hitsText({
  items,
  total,
  semantic,
  partial,
  suggestions = [],
}: z.output<typeof SearchResult>): string {
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
    partial ? `${count}; the search timed out, so not everything was searched` : count,
    ...meaningText(semantic, items.length === 0),
    ...(suggestions.length === 0 ? [] : [`Did you mean: ${suggestions.join(", ")}`]),
  ].join("\n");
}

/** Only reasons that may have hidden a hit. */
function meaningText(
  { state, reason, waiting }: z.output<typeof SearchResult>["semantic"],
  isEmpty: boolean,
): string[] {
  if (state === "unavailable" || (state === "off" && isEmpty && reason !== undefined))
    return [`Not searched by meaning: ${reason ?? "not available"}`];
  return state === "used" && waiting > 0 ? [`${waiting} files are not embedded yet`] : [];
}

function snippetText(snippet: readonly { text: string; match: boolean }[]): string {
  return snippet
    .map(({ text, match }) => (match ? `[${text}]` : text))
    .join("")
    .replace(/\s+/gu, " ")
    .trim();
}
