import { rankDocuments } from "@svc/search/ranking/rank-documents";
import { mostCandidates } from "@svc/search/ranking/search-query";
import { withinTime } from "@svc/search/visibility/within-time";
import type { CommandContext } from "../../../platform/commands/command-context.ts";
import type { FoundByMeaning } from "../finding/candidates/find-by-meaning.ts";
import { readWordRanking } from "../finding/rank/word-ranking.ts";
import type { VisibleSearch } from "../finding/visibility/narrow-to-visible.ts";
import type { Obstacle } from "./obstacle.ts";

/** More than a search has: all that match are ranked, not a page of them. */
const millis = 5_000;

/** Where it stands in the order that the search itself has, as far as that goes. */
export async function findStanding(
  context: CommandContext,
  id: string,
  visible: VisibleSearch,
  meaning: FoundByMeaning | undefined,
): Promise<Partial<Obstacle> & { rank?: number }> {
  const { query, statistics, question } = visible;
  const { limit } = question;
  const ranked = await withinTime(context.transaction, millis, async () =>
    rankDocuments(context.transaction, query, {
      ...(await readWordRanking(context, visible)),
      statistics,
      limit: mostCandidates + (meaning?.files.length ?? 0),
      meaning,
    }),
  );
  if (!ranked)
    return { reason: "it takes too long to rank all that matches", remedy: "Add a word that few have." };
  const rank = ranked.documents.findIndex((document) => document.id === id) + 1;
  if (rank === 0) {
    return {
      reason: `more than ${mostCandidates} match as well, and only those with the rarest words are ranked`,
      remedy: "Add a word that it has and others have not.",
    };
  }
  if (rank <= limit) return { rank };
  return {
    rank,
    reason: `${rank - 1} others come before it, and a page has ${limit}`,
    remedy: "Look at the pages that follow, or add a word that it has and others have not.",
  };
}
