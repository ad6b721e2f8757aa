import type { z } from "zod";
import type { Pieces, SearchResult } from "./search-view.ts";

const mostCharacters = 160;
/** Before the first match. */
const mostBefore = 40;

/** Enough to choose what to read; what is as usual is left out. */
export function briefHits({
  items,
  semantic,
  order,
  tookMs,
  total,
  ...rest
}: z.output<typeof SearchResult>): Record<string, unknown> {
  return {
    items: items.map(({ address, id, title, matched, snippet = [], passages }) => ({
      ...(address === undefined ? { id } : { address }),
      // An address ends with the name.
      ...(address?.endsWith(`/${title}`) ? {} : { title }),
      matched,
      ...(snippet.length === 0 ? {} : { snippet: briefSnippet(snippet) }),
      ...(passages === undefined ? {} : { passages }),
    })),
    total: total.relation === "eq" ? total.value : `${total.value} or more`,
    ...(semantic.state === "unavailable" ? { semantic } : {}),
    ...rest,
  };
}

/** One line of whole words around the first match. */
function briefSnippet(pieces: z.output<typeof Pieces>): string {
  const match = pieces.findIndex((piece) => piece.match);
  const before = oneLine(pieces.slice(0, Math.max(0, match)));
  const text = oneLine(pieces);
  const start = Math.max(0, Math.min(before.length - mostBefore, text.length - mostCharacters));
  const end = start + mostCharacters;
  return text
    .slice(start, end)
    .replace(start > 0 ? /^\S*\s/ : "", "")
    .replace(end < text.length ? /\s\S*$/ : "", "");
}

function oneLine(pieces: z.output<typeof Pieces>): string {
  return pieces
    .map(({ text }) => text)
    .join("")
    .replaceAll(/\s+/g, " ")
    .trim();
}
