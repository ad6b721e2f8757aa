import { createHash } from "node:crypto";
import { usageError } from "@svc/command-router/arguments/usage-error";
import { isStorable } from "@svc/database/is-storable";
import { languages } from "@svc/search/index/language-marks";
import { alphabetOf } from "@svc/search/query/one-edit-neighbours";
import { highestLevel } from "@svc/search/ranking/levels";
import { z } from "zod";
import { readJsonCursor, writeJsonCursor } from "../../../../platform/cursors/json-cursor.ts";

/** A corrected word, or a correction. The index cannot be asked for everything that a changed cursor may contain. */
const Word = z
  .string()
  .min(1)
  .max(50)
  .refine((word) => alphabetOf(word) !== undefined);

/**
 * Where a page ended, and the statistics of its ranking: while documents are added, the next page continues in the same
 * order. It reveals nothing that the page did not, and callers who change it change only their own answer.
 */
const Cursor = z.object({
  /** Fingerprint of the search that it belongs to. */
  search: z.string().max(50),
  level: z.int().min(0).max(highestLevel),
  score: z.number(),
  id: z.uuid(),
  /** If not sorted by relevance. */
  sortKey: z.union([z.int(), z.string().max(1_000).refine(isStorable)]).optional(),
  /** What the first hit of all has: each score is a part of it. */
  best: z.number().positive().optional(),
  now: z.iso.datetime(),
  documents: z.int().min(0),
  averageLength: z.number().min(1),
  frequencies: z.array(z.int().min(0)).max(200),
  corrections: z
    .array(z.object({ word: Word, also: z.array(Word).max(3) }))
    .max(3)
    .optional(),
  /** The languages its words were read in. */
  spoken: z.array(z.enum(languages)).max(languages.length),
  /** If meaning took part: what its share was based on. */
  meaning: z
    .object({
      model: z.string().max(200),
      // Dividing by almost nothing is an error.
      words: z.number().refine((score) => score === 0 || score > 1e-100),
      similarity: z.number(),
      ratio: z.number(),
      floor: z.number(),
    })
    .optional(),
});
export type Cursor = z.output<typeof Cursor>;

export function writeCursor(cursor: Cursor): string {
  return writeJsonCursor(cursor);
}

export function readCursor(text: string, search: string): Cursor {
  const cursor = readJsonCursor(Cursor, text);
  if (cursor?.search === search) return cursor;
  throw beginAgain();
}

export function beginAgain(): Error {
  return usageError({ path: "search query" }, [
    { argument: "--cursor", message: "belongs to another search; start over without it" },
  ]);
}

/** The same for every page of the same query. */
export function searchKey(question: unknown): string {
  return createHash("sha256").update(JSON.stringify(question)).digest("base64url").slice(0, 22);
}
