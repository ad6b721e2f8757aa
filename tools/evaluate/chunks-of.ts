import type { Embedder } from "@svc/embedding/embedder";
import { type Chunk, chunkText } from "@svc/search/chunk-text";

/** Room for the first line, which later chunks are given so that they say what they are about. */
const titleTokens = 40;

export function chunksOf(
  text: string,
  { maxTokens, countTokens }: Embedder,
): (Chunk & { embedded: string })[] {
  const most = maxTokens - titleTokens;
  const title = text.slice(0, text.indexOf("\n")).slice(0, titleTokens * 3);
  return chunkText(text, { measure: countTokens, most, overlap: Math.round(most / 10) }).map(
    (chunk, index) => {
      const within = text.slice(chunk.start, chunk.end);
      return { ...chunk, embedded: index === 0 ? within : `${title}\n\n${within}` };
    },
  );
}
