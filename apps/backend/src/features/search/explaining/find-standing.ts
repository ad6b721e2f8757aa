import { rankDocuments } from "@svc/search/ranking/rank-documents";
import { mostCandidates } from "@svc/search/ranking/search-query";
import { withinTime } from "@svc/search/visibility/within-time";
import type { CommandContext } from "../../../platform/commands/command-context.ts";
import type { FoundByMeaning } from "../finding/candidates/find-by-meaning.ts";
import { readWordRanking } from "../finding/rank/word-ranking.ts";
import type { VisibleSearch } from "../finding/visibility/narrow-to-visible.ts";
import type { Obstacle } from "./obstacle.ts";

/** More time than a search has: ranks all matches, not one page. */
const millis = 5_000;

/** Its rank in the search itself, as far as the search ranks. */
export async function findStanding(
  context: CommandContext,
  id: string,
  visible: VisibleSearch,
  meaning: FoundByMeaning | undefined,
): Promise<Partial<Obstacle> & { rank?: number }> {
  const { query, statistics, question } = visible;
  const { limit } = question;
  const ranked = await withinTime(context.transaction, millis, async () => {
    const { paths, ...words } = await readWordRanking(context, visible);
    const limit = mostCandidates + (meaning?.files.length ?? 0);
    return rankDocuments(context.transaction, { ...query, paths }, { ...words, statistics, limit, meaning });
  });
  if (!ranked) return { reason: "ranking all matches takes too long", remedy: "Add a rarer word." };
  const rank = ranked.documents.findIndex((document) => document.id === id) + 1;
  if (rank === 0) {
    return {
      reason: `at least ${mostCandidates} others rank higher`,
      remedy: "Add a word that only this one contains.",
    };
  }
  if (rank <= limit) return { rank };
  return {
    rank,
    reason: `${rank - 1} others rank higher, and a page has ${limit}`,
    remedy: "Look at the next pages, or add a word that only this one contains.",
  };
}
