import { withinTime } from "@svc/search/visibility/within-time";
import type { CommandContext } from "../../../../platform/commands/command-context.ts";
import type { FoundByMeaning } from "../candidates/find-by-meaning.ts";
import { timeLimits } from "../time-limits.ts";
import type { VisibleSearch } from "../visibility/narrow-to-visible.ts";
import { type FoundPage, findPage } from "./find-page.ts";

/** For a search that took too long: the matches among a sample of what the caller sees; if there are none, names alone. */
export async function findPageInShortTime(
  context: CommandContext,
  visible: VisibleSearch,
  meaning: FoundByMeaning | undefined,
): Promise<FoundPage | undefined> {
  const { query } = visible;
  const sampled = await findWithin(context, { ...visible, query: { ...query, isSampled: true } }, meaning);
  if (sampled?.shown.length) return sampled;
  return findWithin(context, { ...visible, query: { ...query, content: false } }, meaning);
}

function findWithin(
  context: CommandContext,
  visible: VisibleSearch,
  meaning: FoundByMeaning | undefined,
): Promise<FoundPage | undefined> {
  return withinTime(context.transaction, timeLimits.shortMillis, () => findPage(context, visible, meaning));
}
