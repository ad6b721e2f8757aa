import type { ParsedQuery } from "../query/parse-query.ts";
import type { Excerpt } from "./excerpts.ts";
import { makeSnippet, type SnippetPiece } from "./snippet.ts";

/** A part of a text, with matches marked; offsets count characters (code points) of the whole text. */
export interface Passage {
  start: number;
  end: number;
  pieces: SnippetPiece[];
}

/**
 * Up to `count` passages that do not overlap, the best first. If no word is in any, the last excerpt, which is the
 * beginning of the text. Excerpts were found by how words begin, so only now is it known what matches.
 */
export function makePassages(excerpts: readonly Excerpt[], query: ParsedQuery, count: number): Passage[] {
  const made: (Passage & { words: number })[] = [];
  for (const [index, excerpt] of excerpts.entries()) {
    made.push(toPassage(excerpt, query));
    const best = Math.max(...made.map(({ words }) => words));
    // Most of the time the first excerpt has what was promised, and one is wanted.
    if (count === 1 && best > 0 && best >= (excerpts[index + 1]?.words ?? 0)) break;
  }
  const last = made.slice(-1);
  const ordered = made.filter(({ words }) => words > 0).sort((left, right) => right.words - left.words);
  const chosen: Passage[] = [];
  for (const { words: _, ...passage } of ordered.length > 0 ? ordered : last) {
    if (chosen.length === count) break;
    if (chosen.every((other) => passage.end <= other.start || passage.start >= other.end))
      chosen.push(passage);
  }
  return chosen;
}

function toPassage(excerpt: Excerpt, query: ParsedQuery): Passage & { words: number } {
  const { start, end, pieces, words } = makeSnippet(excerpt, query);
  const from = excerpt.start + countCharacters(excerpt.text.slice(0, start));
  return { start: from, end: from + countCharacters(excerpt.text.slice(start, end)), pieces, words };
}

function countCharacters(text: string): number {
  return [...text].length;
}
