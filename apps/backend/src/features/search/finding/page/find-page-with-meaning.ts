import { mostNear } from "@svc/search/ranking/fuse";
import { withinTime } from "@svc/search/visibility/within-time";
import type { CommandContext } from "../../../../platform/commands/command-context.ts";
import type { AskedMeaning } from "../candidates/ask-meaning.ts";
import { type ByMeaning, findByMeaning } from "../candidates/find-by-meaning.ts";
import { idOf } from "../parse/question.ts";
import { mayMiss } from "../rank/may-miss.ts";
import { isWordless } from "../rank/word-ranking.ts";
import { timeLimits } from "../time-limits.ts";
import type { VisibleSearch } from "../visibility/narrow-to-visible.ts";
import { type FoundPage, findPage } from "./find-page.ts";

interface PageWithMeaning {
  /** Undefined if it took too long. */
  page: FoundPage | undefined;
  byMeaning: ByMeaning;
}

/** Near files first, as many as the page may need; all of them if one that was left out could be on it. */
export async function findPageWithMeaning(
  context: CommandContext,
  visible: VisibleSearch,
  asked: AskedMeaning,
): Promise<PageWithMeaning> {
  const { after, question, query } = visible;
  const workspaceId = idOf(question.workspaceId, "workspace");
  for (let most = nearAtFirst(visible); ; most = mostNear) {
    const byMeaning = await findByMeaning(context, query, asked, { workspaceId, after, most });
    const { found } = byMeaning;
    const rank = () => findPageOf(context, visible, byMeaning);
    // Without a model there is nothing to lose, and the time limit of the whole search is enough.
    if (asked.model === undefined) return { page: await rank(), byMeaning };
    const plans = found && isWordless(visible, found) ? "force_generic_plan" : "auto";
    const page = await withinTime(context.transaction, timeLimits.millis, rank, { plans });
    const shown = page?.shown.map(({ document }) => document);
    const isSettled =
      most >= mostNear ||
      !shown ||
      !found ||
      !page?.meaning ||
      !mayMiss(shown, found, question.limit, page.meaning.bounds);
    if (isSettled) return { page, byMeaning };
  }
}

/** Enough for most pages that only meaning fills; distant files are the most expensive to find. */
const firstNear = { timesLimit: 4, least: 50 };

function nearAtFirst({
  after,
  question: { mode, limit },
  parsed: { phrases, excluded },
}: VisibleSearch): number {
  const isAlone = mode === "semantic" && !after && phrases.length === 0 && excluded.length === 0;
  if (!isAlone) return mostNear;
  return Math.min(mostNear, Math.max(firstNear.least, limit * firstNear.timesLimit));
}

/**
 * By meaning alone nothing is found without it; and a search that began with meaning does not continue without it, in
 * another order.
 */
async function findPageOf(
  context: CommandContext,
  visible: VisibleSearch,
  { found }: ByMeaning,
): Promise<FoundPage> {
  const { after, question } = visible;
  const goesOn = after?.meaning !== undefined;
  if (found || (question.mode !== "semantic" && !goesOn)) return findPage(context, visible, found);
  const nothing = {
    shown: [],
    best: 0,
    total: 0,
    isExact: true,
    isTimedOut: false,
    weights: [],
    frequencies: [],
  };
  return { ...nothing, nextCursor: goesOn ? question.cursor : undefined, isComplete: !goesOn };
}
