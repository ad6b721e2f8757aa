import type { Bounds } from "@svc/search/ranking/fuse";
import type { RankedDocument } from "@svc/search/ranking/rank-candidates";
import type { RankedPage } from "@svc/search/ranking/ranked-page";
import { requestExcerpts } from "@svc/search/snippets/excerpts";
import type { CommandContext } from "../../../../platform/commands/command-context.ts";
import type { ShownEntity } from "../../../../platform/search/search-source.ts";
import { showEntities } from "../../../findable/findable.ts";
import type { FoundByMeaning } from "../candidates/find-by-meaning.ts";
import { writeCursor } from "../parse/search-cursor.ts";
import { orderDocuments, type PagePlace } from "../rank/order-documents.ts";
import { isWordless, readWordRanking } from "../rank/word-ranking.ts";
import { timeLimits } from "../time-limits.ts";
import type { VisibleSearch } from "../visibility/narrow-to-visible.ts";

/** A document as the index ranked it, and its entity as its feature shows it. */
export interface Hit {
  document: RankedDocument;
  entity: ShownEntity;
}

export interface FoundPage {
  shown: Hit[];
  /** The standing of the first hit of the first page. */
  best: number;
  nextCursor: string | undefined;
  /** Continues after so many of its hits, if not all of them are shown. */
  cursorAfter?: (hits: number) => string | undefined;
  total: number;
  isComplete: boolean;
  /** Whether ranking every match would give the same page. */
  isExact: boolean;
  isTimedOut: boolean;
  weights: number[];
  frequencies: number[];
  meaning?: { weight: number; leastSimilarity: number; bounds: Bounds };
}

/** One number for what hits are ordered by: every hit of a level stands above those of the next. */
export function standing({ level, score }: Pick<RankedDocument, "level" | "score">): number {
  return level + score / (1 + score);
}

/** Ranks in the index, then rereads the tables that hold the rights; replaces hits that cannot be shown after all. */
export async function findPage(
  context: CommandContext,
  visible: VisibleSearch,
  meaning: FoundByMeaning | undefined,
): Promise<FoundPage> {
  const { query, statistics, after, key, question, corrections, spoken } = visible;
  const { limit } = question;
  const { documents, frequencies, paths, lacksPaths, ranking } = await readWordRanking(
    context,
    visible,
    meaning,
  );
  const { weights, averageLength, now } = ranking;

  const shown: Hit[] = [];
  let hidden = 0;
  let page: RankedPage;
  let last: PagePlace | undefined = after;
  // guard: pages-are-filled
  do {
    const wanted = limit - shown.length + 1;
    page = await orderDocuments(
      context,
      question,
      { ...query, paths },
      {
        ranking,
        statistics,
        frequencies,
        after: last,
        limit: wanted,
        meaning,
        isWordless: isWordless(visible, meaning),
        millis: timeLimits.millis,
      },
    );
    const hits = await readBack(context, visible, page.documents, meaning);
    shown.push(...hits);
    hidden += page.documents.length - hits.length;
    last = page.documents.at(-1);
    // There was more, and some of it cannot be shown: continue.
    if (page.documents.length < wanted) break;
  } while (shown.length <= limit && last);

  const end = shown[limit - 1]?.document;
  const hasMore = shown.length > limit && end !== undefined;
  const { bounds } = page;
  const best = after?.best ?? (shown[0] ? standing(shown[0].document) : 0);
  const cursorAt = (place: RankedDocument) =>
    writeCursor({
      search: key,
      level: place.level,
      score: place.score,
      id: place.id,
      ...(place.sortKey === undefined ? {} : { sortKey: place.sortKey }),
      ...(best > 0 ? { best } : {}),
      now: now.toISOString(),
      documents,
      averageLength,
      frequencies,
      spoken: [...spoken],
      ...(corrections.length > 0 ? { corrections: [...corrections] } : {}),
      ...(meaning && bounds ? { meaning: { ...bounds, model: meaning.model, floor: meaning.floor } } : {}),
    });
  return {
    shown: shown.slice(0, limit),
    best,
    nextCursor: hasMore ? cursorAt(end) : undefined,
    cursorAfter: (hits) => {
      const last = shown[hits - 1];
      return last && cursorAt(last.document);
    },
    total: page.candidates - hidden,
    isComplete: page.isComplete && !meaning?.isCut,
    isExact: page.isExact && !lacksPaths,
    isTimedOut: page.isTimedOut || lacksPaths,
    weights,
    frequencies,
    ...(meaning && bounds ? { meaning: { ...meaning, bounds } } : {}),
  };
}

async function readBack(
  context: CommandContext,
  { query, question: { highlight, passages: count } }: VisibleSearch,
  documents: readonly RankedDocument[],
  meaning: FoundByMeaning | undefined,
): Promise<Hit[]> {
  const passages = new Map(
    documents.flatMap(({ id, isWorded }) =>
      isWorded ? [] : [[id, meaning?.passages.get(id) ?? 0] as const],
    ),
  );
  const excerpt =
    (highlight || count > 0) && (query.content || passages.size > 0)
      ? requestExcerpts(query.parsed, { count: Math.max(1, count), passages })
      : undefined;
  const entities = await showEntities(context, documents, excerpt);
  return documents.flatMap((document) => {
    const entity = entities.get(document.id);
    return entity ? [{ document, entity }] : [];
  });
}
