import { type RawBuilder, sql } from "kysely";
import { anyOf, phraseQueries } from "../query/query-words.ts";
import { visibleDocuments } from "../visibility/visible-documents.ts";
import { has, hasInRow, rankedColumns } from "./candidates.ts";
import { isSampled, mostSampled, type Sampled } from "./sample.ts";
import type { SearchQuery } from "./search-query.ts";
import { anyOfNeeded, type RankedWord } from "./word-score.ts";

/**
 * Matches among the sample of visible documents. The index intersects the lists of the words with that of the sample,
 * which is short: this takes little time, however many documents have the words.
 */
export function sampledCandidates(
  query: SearchQuery,
  words: readonly RankedWord[],
  sampled: Sampled,
  candidate: RawBuilder<unknown>,
) {
  const { parsed, content, source } = query;
  const needed = words.filter(({ isNeeded }) => isNeeded);
  const any = {
    body: anyOf(needed.map(({ body }) => body)),
    name: anyOf(needed.map(({ name }) => name)),
  };
  const conditions = [
    isSampled(sampled),
    ...(needed.length > 0 ? [has(any, content)] : []),
    ...phraseQueries(parsed.phrases).map((phrase) => hasInRow(phrase, content)),
    ...phraseQueries(parsed.excluded).map((phrase) => sql`${has(phrase, content)} is not true`),
  ];
  return sql`
    matching as materialized (
      select ${rankedColumns(query, words)} ${visibleDocuments(source)} and ${sql.join(conditions, sql` and `)}),
    ${candidate} as materialized (
      select * from matching ${needed.length > 0 ? sql`where is_named or ${anyOfNeeded(words)}` : sql``})`;
}

/** A phrase is rarer than its words: as a sample, more of the documents that may have it are read. */
const timesPhrases = 2;

/** Of documents that may have a phrase: `most` of them, or not known. */
export function sampledPhrases(
  { documents, mostSampled: usual = mostSampled }: Sampled,
  most: number,
): Sampled {
  return { documents: most || documents, mostSampled: timesPhrases * usual };
}
