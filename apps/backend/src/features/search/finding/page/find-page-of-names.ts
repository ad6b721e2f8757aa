import { withinTime } from "@svc/search/visibility/within-time";
import type { CommandContext } from "../../../../platform/commands/command-context.ts";
import type { FoundByMeaning } from "../candidates/find-by-meaning.ts";
import { timeLimits } from "../time-limits.ts";
import type { VisibleSearch } from "../visibility/narrow-to-visible.ts";
import { type FoundPage, findPage } from "./find-page.ts";

/** For a search whose texts took too long. */
export function findPageOfNames(
  context: CommandContext,
  visible: VisibleSearch,
  meaning: FoundByMeaning | undefined,
): Promise<FoundPage | undefined> {
  const names = { ...visible, query: { ...visible.query, content: false } };
  return withinTime(context.transaction, timeLimits.namesMillis, () => findPage(context, names, meaning));
}
