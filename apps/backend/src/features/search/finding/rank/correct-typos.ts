import { entityTypes } from "@svc/search/index/documents";
import { withCorrections } from "@svc/search/query/with-corrections";
import { findCorrections, suspectsOf } from "@svc/search/typos/find-corrections";
import { withinTime } from "@svc/search/visibility/within-time";
import type { CommandContext } from "../../../../platform/commands/command-context.ts";
import { timeLimits } from "../time-limits.ts";
import type { VisibleSearch } from "../visibility/narrow-to-visible.ts";

/**
 * The same search with words corrected that no visible document has; undefined if there is nothing to correct. Only
 * suspects are looked up: a search whose words all exist costs nothing here.
 */
export async function correctTypos(
  { transaction }: CommandContext,
  visible: VisibleSearch,
  mayBeUnknown: (index: number) => boolean,
): Promise<VisibleSearch | undefined> {
  const { question, query, statistics, after } = visible;
  if (!question.correct || question.mode === "semantic" || after) return undefined;
  const suspects = suspectsOf(query.parsed, mayBeUnknown);
  if (suspects.length === 0) return undefined;
  const everything = { ...query, source: { ...query.source, filters: { entityTypes } } };
  return withinTime(transaction, timeLimits.correctMillis, async () => {
    const corrections = await findCorrections(transaction, query, everything, statistics, suspects);
    if (corrections.length === 0) return undefined;
    const parsed = withCorrections(query.parsed, corrections);
    return { ...visible, parsed, query: { ...query, parsed }, corrections };
  });
}
