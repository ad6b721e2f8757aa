import { createHash } from "node:crypto";
import { usageError } from "@svc/command-router/arguments/usage-error";
import { z } from "zod";

/**
 * Where a page ended, and the statistics of its ranking: while documents are added, the next page continues in the same
 * order. It reveals nothing that the page did not, and callers who change it change only their own answer.
 */
const Cursor = z.object({
  /** Fingerprint of the search that it belongs to. */
  search: z.string().max(50),
  tier: z.int().min(0).max(3),
  score: z.number(),
  id: z.uuid(),
  now: z.iso.datetime(),
  documents: z.int().min(0),
  averageLength: z.number().min(1),
  frequencies: z.array(z.int().min(0)).max(200),
  /** If meaning took part: what its share was based on. */
  meaning: z
    .object({ model: z.string().max(200), words: z.number(), similarity: z.number(), floor: z.number() })
    .optional(),
});
export type Cursor = z.output<typeof Cursor>;

export function writeCursor(cursor: Cursor): string {
  return Buffer.from(JSON.stringify(cursor)).toString("base64url");
}

export function readCursor(text: string, search: string): Cursor {
  const parsed = Cursor.safeParse(parseJson(Buffer.from(text, "base64url").toString()));
  if (parsed.success && parsed.data.search === search) return parsed.data;
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
