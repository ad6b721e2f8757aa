import { scanWords } from "../analyser/scan-words.ts";
import type { ParsedQuery } from "../query/parse-query.ts";
import { findMatches, type Match } from "../ranking/find-matches.ts";

export interface SnippetPiece {
  text: string;
  match: boolean;
}

/** A part of the text, `text.slice(start, end)`, in pieces that add up to exactly that. */
export interface Snippet {
  start: number;
  end: number;
  pieces: SnippetPiece[];
}

/** A snippet is made for each hit of a page while somebody waits. */
const mostLookedAt = 200_000;

/** The part of about `width` characters with most of the query's words; the beginning if there are none. */
export function makeSnippet(text: string, query: ParsedQuery, width = 200): Snippet {
  const looked = text.slice(0, mostLookedAt);
  const matches = findMatches(looked, query).sort((left, right) => left.start - right.start);
  const window = bestWindow(matches, width);
  const { start, end } = stretchAround(looked, window, width);
  return { start, end, pieces: cutPieces(looked, start, end, matches) };
}

/** Different words count before repetitions, then the earlier window. */
function bestWindow(matches: Match[], width: number): { start: number; end: number } {
  let best = { start: 0, end: 0, score: 0 };
  const inside = new Map<number, number>();
  let first = 0;
  for (const [last, match] of matches.entries()) {
    inside.set(match.word, (inside.get(match.word) ?? 0) + 1);
    for (
      let left = matches[first];
      left && left !== match && match.end - left.start > width;
      left = matches[first]
    ) {
      const rest = (inside.get(left.word) ?? 1) - 1;
      if (rest === 0) inside.delete(left.word);
      else inside.set(left.word, rest);
      first++;
    }
    const score = inside.size * 1000 + Math.min(last - first, 999);
    const start = matches[first]?.start ?? 0;
    if (score > best.score) best = { start, end: Math.min(match.end, start + width), score };
  }
  return best;
}

/** The window with as much text on both sides as fits, from the start of a word to the end of one. */
function stretchAround(text: string, window: { start: number; end: number }, width: number) {
  const room = Math.max(0, width - (window.end - window.start));
  const from = Math.max(0, Math.min(window.start - Math.floor(room / 2), text.length - width));
  const to = Math.min(text.length, from + Math.max(width, window.end - from));
  let start = characterBorder(text, from);
  let end = characterBorder(text, to);
  // Avoids cutting words at the borders; a run without spaces may be cut anywhere. The scan starts a little earlier.
  const before = characterBorder(text, Math.max(0, from - longestWord));
  for (const word of scanWords(text.slice(before, to + longestWord))) {
    const wordStart = before + word.start;
    const wordEnd = before + word.end;
    if (wordStart > end) break;
    if (word.isDense || word.end - word.start > longestWord) continue;
    if (wordStart < start && start < wordEnd && wordEnd <= window.start) start = wordEnd;
    if (wordStart < end && end < wordEnd && wordStart >= window.end) end = wordStart;
  }
  while (start < window.start && /\s/u.test(text.charAt(start))) start++;
  while (end > Math.max(window.end, start) && /\s/u.test(text.charAt(end - 1))) end--;
  return { start, end };
}

const longestWord = 60;

/** Not between the halves of a surrogate pair, nor before a mark that belongs to the character before it. */
function characterBorder(text: string, offset: number): number {
  let border = offset;
  while (
    border > 0 &&
    border < text.length &&
    /^(?:[\udc00-\udfff]|\p{M})/u.test(text.slice(border, border + 2))
  )
    border--;
  return border;
}

function cutPieces(text: string, start: number, end: number, matches: Match[]): SnippetPiece[] {
  const pieces: SnippetPiece[] = [];
  const add = (to: number, match: boolean) => {
    if (to <= at) return;
    const before = pieces.at(-1);
    if (before?.match === match) before.text += text.slice(at, to);
    else pieces.push({ text: text.slice(at, to), match });
    at = to;
  };
  let at = start;
  for (const match of matches) {
    if (match.end <= start || match.start >= end) continue;
    add(Math.min(match.start, end), false);
    add(Math.min(match.end, end), true);
  }
  add(end, false);
  return pieces;
}
