import type { ParsedQuery } from "../query/parse-query.ts";
import type { PathPlaces } from "../visibility/find-path-places.ts";
import type { Source } from "../visibility/visible-documents.ts";

/** Up to this many matches are all ranked. Of more, those with the highest tiers. */
export const mostCandidates = 3_000;

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
