import { suggestNames } from "@svc/search/inspecting/suggest-names";
import { withinTime } from "@svc/search/visibility/within-time";
import type { CommandContext } from "../../../../platform/commands/command-context.ts";
import { showEntities } from "../../../findable/findable.ts";
import { timeLimits } from "../time-limits.ts";
import type { VisibleSearch } from "../visibility/narrow-to-visible.ts";

const mostSuggestions = 3;

/** Similarly spelled names, for a search that found nothing. A search by meaning alone does not use them. */
export async function suggestTitles(
  context: CommandContext,
  { question, query: { source, parsed } }: VisibleSearch,
): Promise<string[]> {
  if (question.cursor !== undefined || question.mode === "semantic") return [];
  const titles = await withinTime(context.transaction, timeLimits.shortMillis, async () => {
    const found = await suggestNames(context.transaction, source, parsed.wholeName, mostSuggestions);
    const entities = await showEntities(context, found, undefined);
    return found.flatMap(({ id }) => entities.get(id)?.title ?? []);
  });
  return titles ?? [];
}
