import { type ScannedWord, scanWords } from "../analyser/scan-words.ts";
import type { ParsedQuery } from "../query/parse-query.ts";
import { findMatches, type Match } from "../ranking/find-matches.ts";
import { CharacterBorders } from "./character-borders.ts";
import type { Excerpt } from "./excerpts.ts";

export interface SnippetPiece {
  text: string;
  match: boolean;
}

/** A part of an excerpt, `text.slice(start, end)`, in pieces that add up to exactly that. */
export interface Snippet {
  start: number;
  end: number;
  pieces: SnippetPiece[];
  /** How many different words of the query it marks. */
  words: number;
}

interface Stretch {
  start: number;
  end: number;
}

/** The part of about `width` characters with most of the query's words; the beginning if there are none. */
export function makeSnippet(
  excerpt: Pick<Excerpt, "text" | "start" | "hasMore">,
  query: ParsedQuery,
  width = 200,
): Snippet {
  const { text } = excerpt;
  const borders = new CharacterBorders(text);
  const whole = withoutCutWords(excerpt, borders);
  const matches = findMatches(text, query)
    .filter(({ start, end }) => start >= whole.start && end <= whole.end)
    .map(({ start, end, word }) => ({ start: borders.atOrBefore(start), end: borders.atOrAfter(end), word }))
    .sort((left, right) => left.start - right.start);
  const { words, ...window } = bestWindow(matches, width, borders) ?? { ...startOf(whole), words: 0 };
  const { start, end } = stretchAround(text, window, whole, width, borders);
  return { start, end, words, pieces: cutPieces(text, { start, end }, matches) };
}

function startOf({ start }: Stretch): Stretch {
  return { start, end: start };
}

/** An excerpt may begin and end within a word. A longer run of letters than any word may be cut anywhere. */
function withoutCutWords(
  { text, start, hasMore }: Pick<Excerpt, "text" | "start" | "hasMore">,
  borders: CharacterBorders,
): Stretch {
  const words = [...scanWords(text)];
  const first = words[0];
  const last = words.at(-1);
  const begin = start > 0 && first?.start === 0 && isWord(first) ? first.end : 0;
  const end = hasMore && last && last.end === text.length && isWord(last) ? last.start : text.length;
  const after = borders.atOrAfter(begin);
  return { start: after, end: Math.max(after, borders.atOrBefore(end)) };
}

const longestWord = 60;

function isWord({ start, end, isDense }: ScannedWord): boolean {
  return !isDense && end - start <= longestWord;
}

/** Different words count before repetitions, then the earlier window. */
function bestWindow(
  matches: readonly Match[],
  width: number,
  borders: CharacterBorders,
): (Stretch & { words: number }) | undefined {
  let best: (Stretch & { words: number; score: number }) | undefined;
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
    if (best && score <= best.score) continue;
    const start = matches[first]?.start ?? 0;
    const end = Math.min(
      match.end,
      Math.max(borders.atOrBefore(start + width), borders.atOrAfter(start + 1)),
    );
    best = { start, end, words: inside.size, score };
  }
  return best;
}

/** The window with as much text on both sides as fits, from the start of a word to the end of one. */
function stretchAround(
  text: string,
  window: Stretch,
  whole: Stretch,
  width: number,
  borders: CharacterBorders,
): Stretch {
  const room = Math.max(0, width - (window.end - window.start));
  const from = Math.max(whole.start, Math.min(window.start - Math.floor(room / 2), whole.end - width));
  const to = Math.min(whole.end, from + Math.max(width, window.end - from));
  let start = from;
  let end = to;
  for (const word of scanWords(text)) {
    if (!isWord(word)) continue;
    if (word.start < from && from < word.end && word.end <= window.start) start = word.end;
    if (word.start < to && to < word.end && word.start >= window.end) end = word.start;
  }
  start = Math.min(window.start, borders.atOrAfter(start));
  end = Math.max(window.end, start, borders.atOrBefore(end));
  while (start < window.start && isSpace(text, start, borders)) start++;
  while (end > Math.max(window.end, start) && isSpace(text, end - 1, borders)) end--;
  return { start, end };
}

function isSpace(text: string, at: number, borders: CharacterBorders): boolean {
  return (
    /\s/u.test(text.charAt(at)) && borders.atOrBefore(at) === at && borders.atOrBefore(at + 1) === at + 1
  );
}

export function cutPieces(text: string, { start, end }: Stretch, matches: readonly Match[]): SnippetPiece[] {
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
