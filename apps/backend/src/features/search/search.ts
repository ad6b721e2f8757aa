import { withinTime } from "@svc/search/visibility/within-time";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { keepQuery } from "../query-log/query-log.ts";
import { askMeaning } from "./finding/candidates/ask-meaning.ts";
import { withoutMeaning } from "./finding/candidates/find-by-meaning.ts";
import { findPageOfNames } from "./finding/page/find-page-of-names.ts";
import { findPageWithMeaning } from "./finding/page/find-page-with-meaning.ts";
import { parseQuestion } from "./finding/parse/parse-question.ts";
import type { Question } from "./finding/parse/question.ts";
import { hitView } from "./finding/show/hit-view.ts";
import { suggestTitles } from "./finding/show/suggest-titles.ts";
import { timeLimits } from "./finding/time-limits.ts";
import { narrowToVisible } from "./finding/visibility/narrow-to-visible.ts";

/**
 * Finds matches that the caller can see, one page at a time. Stages, each with a folder of `finding/`: parse,
 * visibility, candidates, rank (which also fuses words and meaning, in one statement), page, show. A stage knows only
 * those before it.
 */
export async function search(context: CommandContext, question: Question) {
  const started = performance.now();
  const asked = parseQuestion(question);
  const meaning = await askMeaning(context, question);
  const visible = await withinTime(context.transaction, timeLimits.millis, () =>
    narrowToVisible(context, asked),
  );
  const { page: whole, byMeaning } = visible
    ? await findPageWithMeaning(context, visible, meaning)
    : { page: undefined, byMeaning: withoutMeaning(meaning) };
  const page = whole ?? (visible && (await findPageOfNames(context, visible, byMeaning.found)));
  const hits =
    page?.shown.map((hit) => hitView(hit, asked.parsed, question.explain ? page : undefined)) ?? [];
  const suggestions = visible && page && hits.length === 0 ? await suggestTitles(context, visible) : [];
  if (question.cursor === undefined && page) keepQuery(context, question.query, page.total);
  return {
    items: hits,
    ...(page?.nextCursor === undefined ? {} : { nextCursor: page.nextCursor }),
    total: { value: page?.total ?? 0, relation: page?.isComplete ? ("eq" as const) : ("gte" as const) },
    semantic: byMeaning.semantic,
    // Some words or texts were not searched, because it took too long.
    ...(whole === undefined || asked.parsed.isCut ? { partial: true } : {}),
    ...(suggestions.length > 0 ? { suggestions } : {}),
    tookMs: Math.round(performance.now() - started),
  };
}
