import { type Bounds, scoreByMeaning } from "@svc/search/ranking/fuse";
import { mostRecency } from "@svc/search/ranking/word-score";
import type { FoundByMeaning } from "../candidates/find-by-meaning.ts";

/** Whether a file that was not considered, because enough were closer, could be on the page. */
export function mayMiss(
  shown: readonly { score: number }[],
  { isCut, farthest, ...meaning }: FoundByMeaning,
  limit: number,
  best: Bounds,
): boolean {
  const last = shown.length < limit ? undefined : shown.at(-1);
  // guard: cut-results-may-matter
  return isCut && (!last || scoreByMeaning(meaning, best, farthest) * mostRecency >= last.score);
}
