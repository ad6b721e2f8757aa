import { withinTime } from "@svc/search/visibility/within-time";
import type { CommandContext } from "../../../../platform/commands/command-context.ts";
import { meaningObstacles } from "../../../../platform/search/meaning-obstacles.ts";
import { type AskedMeaning, askMeaning } from "../candidates/ask-meaning.ts";
import { type ByMeaning, withoutMeaning } from "../candidates/find-by-meaning.ts";
import type { ParsedQuestion } from "../parse/parse-question.ts";
import { timeLimits } from "../time-limits.ts";
import { narrowToVisible, type VisibleSearch } from "../visibility/narrow-to-visible.ts";
import { findCorrectedPage } from "./find-corrected-page.ts";
import type { FoundPage } from "./find-page.ts";

interface SearchInTime {
  /** Undefined if even this took too long. */
  visible: VisibleSearch | undefined;
  byMeaning: ByMeaning;
  /** Undefined if it took too long. */
  page: FoundPage | undefined;
}

/**
 * All stages under one time limit, which applies to each of their statements: a limit for each stage would cost two
 * more round trips each. A stage that takes too long loses nothing that earlier ones found.
 */
export async function findPageInTime(context: CommandContext, asked: ParsedQuestion): Promise<SearchInTime> {
  const reached: { visible?: VisibleSearch; meaning: AskedMeaning } = {
    meaning: { state: "unavailable", ...meaningObstacles.tookTooLong },
  };
  const found = await withinTime(context.transaction, timeLimits.millis, async () => {
    const visible = await narrowToVisible(context, asked);
    reached.visible = visible;
    reached.meaning = await askMeaning(context, visible);
    return findCorrectedPage(context, visible, reached.meaning);
  });
  return found ?? { visible: reached.visible, byMeaning: withoutMeaning(reached.meaning), page: undefined };
}
