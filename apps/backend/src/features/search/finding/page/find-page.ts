import type { Bounds } from "@svc/search/ranking/fuse";
import {
  type RankedDocument,
  type RankedPage,
  type RankingKey,
  rankDocuments,
} from "@svc/search/ranking/rank-documents";
import type { CommandContext } from "../../../../platform/commands/command-context.ts";
import type { ShownEntity } from "../../../../platform/search/search-source.ts";
import { showEntities } from "../../../findable/findable.ts";
import type { FoundByMeaning } from "../candidates/find-by-meaning.ts";
import { writeCursor } from "../parse/search-cursor.ts";
import { isWordless, readWordRanking } from "../rank/word-ranking.ts";
import type { VisibleSearch } from "../visibility/narrow-to-visible.ts";

/** A document as the index ranked it, and its entity as its feature shows it. */
export interface Hit {
  document: RankedDocument;
  entity: ShownEntity;
}

export interface FoundPage {
  shown: Hit[];
  nextCursor: string | undefined;
  total: number;
  isComplete: boolean;
  weights: number[];
  frequencies: number[];
  meaning?: { weight: number; leastSimilarity: number; bounds: Bounds };
}

/** Ranks in the index, then rereads the tables that hold the rights; replaces hits that cannot be shown after all. */
export async function findPage(
  context: CommandContext,
  visible: VisibleSearch,
  meaning: FoundByMeaning | undefined,
): Promise<FoundPage> {
  const { query, statistics, after, key, question } = visible;
  const { limit } = question;
  const { transaction } = context;
  const { documents, frequencies, ranking } = await readWordRanking(context, visible, meaning);
  const { weights, averageLength, now } = ranking;

  const shown: Hit[] = [];
  let hidden = 0;
  let page: RankedPage;
  let last: RankingKey | undefined = after;
  // guard: pages-are-filled
  do {
    const wanted = limit - shown.length + 1;
    page = await rankDocuments(transaction, query, {
      ranking,
      statistics,
      frequencies,
      after: last,
      limit: wanted,
      meaning,
      isWordless: isWordless(visible, meaning),
    });
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
  return {
    shown: shown.slice(0, limit),
    nextCursor: hasMore
      ? writeCursor({
          search: key,
          tier: end.tier,
          score: end.score,
          id: end.id,
          now: now.toISOString(),
          documents,
          averageLength,
          frequencies,
          ...(meaning && bounds
            ? { meaning: { ...bounds, model: meaning.model, floor: meaning.floor } }
            : {}),
        })
      : undefined,
    total: page.candidates - hidden,
    isComplete: page.isComplete && !meaning?.isCut,
    weights,
    frequencies,
    ...(meaning && bounds ? { meaning: { ...meaning, bounds } } : {}),
  };
}

const excerptCharacters = 400;

async function readBack(
  context: CommandContext,
  { query, question: { highlight } }: VisibleSearch,
  documents: readonly RankedDocument[],
  meaning: FoundByMeaning | undefined,
): Promise<Hit[]> {
  const passages = new Map(
    documents.flatMap(({ id, isWorded }) =>
      isWorded ? [] : [[id, meaning?.passages.get(id) ?? 0] as const],
    ),
  );
  const excerpt =
    highlight && (query.content || passages.size > 0)
      ? { words: query.parsed.typed.slice(0, 20), characters: excerptCharacters, passages }
      : undefined;
  const entities = await showEntities(context, documents, excerpt);
  return documents.flatMap((document) => {
    const entity = entities.get(document.id);
    return entity ? [{ document, entity }] : [];
  });
}
