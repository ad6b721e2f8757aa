import type { CommandContext } from "../../platform/commands/command-context.ts";
import { keepQuery } from "../query-log/query-log.ts";
import { findFacets } from "./finding/page/find-facets.ts";
import type { FoundPage } from "./finding/page/find-page.ts";
import { findPageInShortTime } from "./finding/page/find-page-in-short-time.ts";
import { findPageInTime } from "./finding/page/find-page-in-time.ts";
import { isEmptyQuestion, type ParsedQuestion, parseQuestion } from "./finding/parse/parse-question.ts";
import type { Question } from "./finding/parse/question.ts";
import { facetsView } from "./finding/show/facets-view.ts";
import { fitTokens } from "./finding/show/fit-tokens.ts";
import { surroundingsOf } from "./finding/show/hit-details.ts";
import { hitView } from "./finding/show/hit-view.ts";
import { suggestTitles } from "./finding/show/suggest-titles.ts";

/**
 * Finds matches that the caller can see, one page at a time. Stages, each with a folder of `finding/`: parse,
 * visibility, candidates, rank (which also fuses words and meaning, in one statement), page, show. A stage knows only
 * those before it.
 */
export async function search(context: CommandContext, question: Question) {
  const started = performance.now();
  const asked = parseQuestion(question, context.now);
  if (isEmptyQuestion(asked)) return nothingToLookFor(asked, started);
  const { page: found, byMeaning, visible } = await findPageInTime(context, asked);
  // Fewer documents, but never none because of the time.
  const whole = found?.isTimedOut && found.shown.length === 0 ? undefined : found;
  const page = whole ?? (visible && (await findPageInShortTime(context, visible, byMeaning.found)));
  const searched = visible ?? asked;
  const { corrections } = searched;
  const hits = page ? await viewHits(context, searched, page) : [];
  const counted =
    question.facets && visible && page && (await findFacets(context, visible, page, byMeaning.found));
  const ignored = visible?.ignored ?? asked.parsed.ignored;
  // What only meaning found may be noise.
  const isFound = hits.some(({ matchedBy }) => matchedBy.includes("fulltext"));
  // guard: noise-keeps-suggestions
  const suggestions = visible && page && !isFound ? await suggestTitles(context, visible) : [];
  if (question.cursor === undefined && page) keepQuery(context, question.query, page.total);
  const ranked = {
    items: hits,
    ...(page?.nextCursor === undefined ? {} : { nextCursor: page.nextCursor }),
  };
  const others = {
    total: { value: page?.total ?? 0, relation: page?.isComplete ? ("eq" as const) : ("gte" as const) },
    semantic: byMeaning.semantic,
    ...(page ? { order: page.isExact ? ("exact" as const) : ("approximate" as const) } : {}),
    // Some words or texts were not searched, because it took too long.
    ...(whole === undefined || whole.isTimedOut || searched.parsed.isCut ? { partial: true } : {}),
    ...(counted ? { facets: await facetsView(context, counted) } : {}),
    ...(ignored.length > 0 ? { ignored: [...ignored] } : {}),
    ...(corrections.length > 0 ? { corrections: [...corrections] } : {}),
    ...(suggestions.length > 0 ? { suggestions } : {}),
    tookMs: Math.round(performance.now() - started),
  };
  const { maxTokens } = question;
  if (maxTokens === undefined) return { ...ranked, ...others };
  const cursorAfter = (count: number) => page?.cursorAfter?.(count);
  return { ...fitTokens(ranked, { maxTokens, others, cursorAfter }), ...others };
}

async function viewHits(context: CommandContext, asked: ParsedQuestion, page: FoundPage) {
  const around = await surroundingsOf(
    context,
    page.shown.map(({ entity }) => entity),
  );
  const reckoning = asked.question.explain ? page : undefined;
  return page.shown.map((hit) => hitView(hit, asked, { around, best: page.best, reckoning }));
}

/** Not an error: a search box sends whatever stands in it. */
function nothingToLookFor({ parsed: { ignored } }: ParsedQuestion, started: number) {
  return {
    items: [],
    total: { value: 0, relation: "eq" as const },
    semantic: { state: "off" as const, embedded: 0, waiting: 0 },
    emptyQuery: true,
    ...(ignored.length > 0 ? { ignored: [...ignored] } : {}),
    tookMs: Math.round(performance.now() - started),
  };
}
