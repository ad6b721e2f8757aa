import { entityTypes } from "@svc/search/index/documents";
import { ignoredReasons } from "@svc/search/query/ignored";
import { levelNames } from "@svc/search/ranking/levels";
import { z } from "zod";
import { Facets } from "./facets-view.ts";
import { matchKinds } from "./hit-view.ts";

export const Pieces = z.array(z.object({ text: z.string(), match: z.boolean() }));

export const SearchHit = z.object({
  entityType: z.enum(entityTypes),
  id: z.string(),
  workspaceId: z.string(),
  title: z.string(),
  /** For a file or folder, the path from the workspace root; for a record, its collection. */
  path: z.string().optional(),
  mediaType: z.string().optional(),
  address: z
    .string()
    .optional()
    .describe("Workspace and path, as every command takes it: marketing:/reports/q3.pdf"),
  workspace: z.object({ id: z.string(), slug: z.string(), name: z.string() }).optional(),
  parent: z
    .object({ id: z.string(), name: z.string(), path: z.string().optional() })
    .optional()
    .describe("The folder, workspace or collection that it is in"),
  owner: z
    .object({ id: z.string(), name: z.string() })
    .optional()
    .describe("Who created it, if you know them"),
  size: z.int().optional().describe("Of a file, in bytes"),
  createdAt: z.iso.datetime(),
  matched: z.enum(matchKinds).describe("What made it a hit, at best"),
  titlePieces: Pieces.optional().describe("The title, with matches marked"),
  snippet: Pieces.optional(),
  /** Characters of the text before the snippet. */
  snippetStart: z.int().optional(),
  /** If requested: the best parts of the text, best first, by their characters in the text. */
  passages: z.array(z.object({ start: z.int(), end: z.int(), pieces: Pieces })).optional(),
  matchedBy: z.array(z.enum(["fulltext", "semantic"])),
  score: z
    .number()
    .describe(
      "1 for the first hit of a search, less for others, in their order; 1 for all if sorted otherwise",
    ),
  updatedAt: z.iso.datetime(),
  explain: z
    .object({
      level: z.enum(levelNames),
      /** What hits of one level are ordered by. */
      points: z.number(),
      inText: z.number(),
      inName: z.number(),
      recency: z.number(),
      words: z.array(
        z.object({
          word: z.string(),
          /** The typed word that it corrects. */
          insteadOf: z.string().optional(),
          weight: z.number(),
          documents: z.int(),
          atLeast: z.boolean(),
        }),
      ),
      /**
       * If meaning took part: `points` are the sum of both, each relative to the best, from `least` on; `weight` is the
       * share of meaning.
       */
      meaning: z
        .object({
          similarity: z.number().optional(),
          weight: z.number(),
          /** It is not embedded: its share of meaning is that of words times `best.ratio`. */
          estimated: z.boolean(),
          best: z.object({ words: z.number(), similarity: z.number(), ratio: z.number() }),
          least: z.number(),
        })
        .optional(),
    })
    .optional(),
});

export const SearchResult = z.object({
  items: z.array(SearchHit),
  nextCursor: z.string().optional(),
  leftOut: z
    .int()
    .optional()
    .describe("Hits of this page that did not fit into maxTokens; nextCursor continues with them"),
  total: z.object({ value: z.int(), relation: z.enum(["eq", "gte"]) }),
  /** Whether meaning took part, and how many visible files are embedded and how many are waiting. */
  semantic: z.object({
    state: z.enum(["used", "off", "unavailable"]),
    embedded: z.int(),
    waiting: z.int(),
    /** Why it did not. */
    reason: z.string().optional(),
  }),
  /** exact: ranking every match gives the same hits. approximate: so many match that a better one may be missing. */
  order: z.enum(["exact", "approximate"]).optional(),
  partial: z.boolean().optional(),
  /** Words that nothing visible contains, and the similar words that were searched for instead. */
  corrections: z.array(z.object({ word: z.string(), also: z.array(z.string()) })).optional(),
  suggestions: z.array(z.string()).optional(),
  facets: Facets.optional().describe(
    "If requested: how many hits there are of each kind. Absent if it took too long",
  ),
  ignored: z
    .array(z.object({ text: z.string(), reason: z.enum(ignoredReasons), hint: z.string() }))
    .optional()
    .describe("Parts of the query that did not do what they look like"),
  /** The query has nothing to look for: no word, no operator, no filter. */
  emptyQuery: z.boolean().optional(),
  tookMs: z.int(),
});
