import { countFacets, type FacetCounts, facetLevel } from "@svc/search/ranking/facets/count-facets";
import { mostMatching } from "@svc/search/ranking/phrased-words";
import { sampleLevel } from "@svc/search/ranking/sample";
import { withinTime } from "@svc/search/visibility/within-time";
import type { CommandContext } from "../../../../platform/commands/command-context.ts";
import type { FoundByMeaning } from "../candidates/find-by-meaning.ts";
import { timeLimits } from "../time-limits.ts";
import type { VisibleSearch } from "../visibility/narrow-to-visible.ts";
import type { FoundPage } from "./find-page.ts";

/** As many as are ranked, if all are. In another order, all are complete, and there may be millions. */
const mostCounted = 30_000;

/**
 * How many hits there are of each type, workspace, owner and year: all, if all were ranked, else a sample. Undefined if
 * even that took too long.
 */
export async function findFacets(
  { transaction }: CommandContext,
  { query, statistics, question: { timeZone }, now }: VisibleSearch,
  { isComplete, isTimedOut, frequencies, total }: FoundPage,
  meaning: FoundByMeaning | undefined,
): Promise<FacetCounts | undefined> {
  const count = (level: number, millis: number) =>
    withinTime(transaction, millis, () =>
      countFacets(transaction, query, { meaning, clock: { now, timeZone }, level }),
    );
  const hits = mostMatching(query.parsed, frequencies, statistics.documents) || statistics.documents;
  const level = isComplete ? (total <= mostCounted ? 0 : facetLevel(total)) : facetLevel(hits);
  const counted = isTimedOut ? undefined : await count(level, timeLimits.millis);
  return counted ?? count(Math.max(level, sampleLevel(statistics)), timeLimits.shortMillis);
}
