import type { ParsedQuery } from "../query/parse-query.ts";
import type { PathPlaces } from "../visibility/find-path-places.ts";
import type { Source } from "../visibility/visible-documents.ts";

/** Of more matches, those with the highest tiers are ranked, or this many if documents have no tiers yet. */
export const mostCandidates = 3_000;
/** Up to this many are all ranked, if there is time: it takes less than finding the best of them by tiers (ADR 48). */
export const mostMatches = 12_000;
/** If the caller sees at most this many documents, all with the words of a phrase are read. */
export const mostForPhrases = 30_000;

export interface SearchQuery {
  parsed: ParsedQuery;
  /** In texts too, not in names alone. */
  content: boolean;
  source: Source;
  /** Only among a sample of the visible documents: when there was no time for more. */
  isSampled?: boolean;
}

/** A query whose words have been looked up in the names of folders. */
export interface RankedQuery extends SearchQuery {
  paths: PathPlaces;
}
