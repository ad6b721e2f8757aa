import type { ParsedQuery } from "../query/parse-query.ts";
import type { Source } from "../visibility/visible-documents.ts";

/** The most documents ranked: 2,000 lose nothing on twelve collections, 300 lose up to 0.03 (ADR 23). */
export const mostCandidates = 2_000;

export interface SearchQuery {
  parsed: ParsedQuery;
  /** In texts too, not in names alone. */
  content: boolean;
  source: Source;
}
