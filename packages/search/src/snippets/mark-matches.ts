import type { ParsedQuery } from "../query/parse-query.ts";
import { findMatches } from "../ranking/find-matches.ts";
import { CharacterBorders } from "./character-borders.ts";
import { cutPieces, type SnippetPiece } from "./snippet.ts";

/** A whole short text, such as a name, in pieces that add up to it. */
export function markMatches(text: string, query: ParsedQuery): SnippetPiece[] {
  const borders = new CharacterBorders(text);
  const matches = findMatches(text, query)
    .map(({ start, end, word }) => ({ start: borders.atOrBefore(start), end: borders.atOrAfter(end), word }))
    .sort((left, right) => left.start - right.start);
  return cutPieces(text, { start: 0, end: text.length }, matches);
}
