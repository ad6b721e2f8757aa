import { createHash } from "node:crypto";
import type { Embedder } from "@svc/embedding/embedder";
import { chunkText } from "@svc/search/vectors/chunk-text";

/** A chunk of a file's text; `start` and `length` in characters, as PostgreSQL counts them. */
export interface FileChunk {
  start: number;
  length: number;
  text: string;
  textHash: Buffer;
}

/** Later chunks get the first line of the text, which mostly says what it is about. */
const wanted = { tokens: 400, overlap: 40, title: 40 };
/** What a model adds to a text: a beginning, an end, a word that says what it is for. */
const reservedTokens = 8;

/** Only by content, not by name: a copy or a rename costs nothing, and full-text search is best at names. */
export function chunkFile(text: string, embedder: Pick<Embedder, "maxTokens" | "countTokens">): FileChunk[] {
  const most = Math.min(wanted.tokens, embedder.maxTokens - reservedTokens - wanted.title);
  // If only an upper bound is known, chunks would be far too short; with this much room none is cut either way.
  const measure =
    embedder.maxTokens >= 4 * wanted.tokens
      ? (some: string) => Math.ceil(Buffer.byteLength(some) / 4)
      : (some: string) => embedder.countTokens(some);
  const overlap = Math.min(wanted.overlap, Math.floor(most / 8));
  const title = titleOf(text);
  let before = 0;
  let characters = 0;
  return chunkText(text, { measure, most, overlap }).map(({ start, end }, index) => {
    // Chunks come in order and overlap; their starts never go back.
    characters += countCharacters(text, before, start);
    before = start;
    const within = text.slice(start, end);
    const embedded = index === 0 || title === "" ? within : `${title}\n\n${within}`;
    return {
      start: characters,
      length: countCharacters(text, start, end),
      text: embedded,
      textHash: createHash("sha256").update(embedded).digest(),
    };
  });
}

/** At least three characters per token in any script. Only the beginning of a long line. */
function titleOf(text: string): string {
  const [line = ""] = text.trimStart().split("\n", 1);
  return line
    .slice(0, wanted.title * 3)
    .toWellFormed()
    .trim();
}

function countCharacters(text: string, start: number, end: number): number {
  let count = end - start;
  for (let index = start; index < end; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xdc00 && unit <= 0xdfff) count -= 1;
  }
  return count;
}
