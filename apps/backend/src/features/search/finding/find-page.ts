import { countWords, weighWords } from "@svc/search/ranking/count-words";
import type { Bounds } from "@svc/search/ranking/fuse";
import {
  type RankedDocument,
  type RankedPage,
  type Ranking,
  type RankingKey,
  rankDocuments,
} from "@svc/search/ranking/rank-documents";
import type { SearchQuery } from "@svc/search/ranking/search-query";
import type { Statistics } from "@svc/search/ranking/statistics";
import type { CommandContext } from "../../../platform/commands/command-context.ts";
import { showEntities } from "../../findable/findable.ts";
import type { FoundByMeaning } from "./find-by-meaning.ts";
import type { Hit } from "./hit-view.ts";
import { type Cursor, writeCursor } from "./search-cursor.ts";

export interface Prepared {
  key: string;
  query: SearchQuery;
  statistics: Statistics;
  after: Cursor | undefined;
  limit: number;
  highlight: boolean;
  explain: boolean;
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

/** Ranked in the index, then read again where the rights are; what may not be shown after all is made up for. */
export async function findPage(
  context: CommandContext,
  prepared: Prepared,
  meaning: FoundByMeaning | undefined,
): Promise<FoundPage> {
  const { query, statistics, after, limit, key } = prepared;
  const { transaction } = context;
  const { documents, frequencies, ranking } = await reckon(context, prepared, meaning);
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
      isWordless: isWordless(prepared, meaning),
    });
    const hits = await readBack(context, prepared, page.documents, meaning);
    shown.push(...hits);
    hidden += page.documents.length - hits.length;
    last = page.documents.at(-1);
    // There was more, and some of it may not be shown: look on.
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

interface Reckoned {
  documents: number;
  frequencies: number[];
  ranking: Ranking & { weights: number[] };
}

/** What hits are ranked by: of the first page, for all that follow. */
export async function reckon(
  { transaction, now }: CommandContext,
  prepared: Prepared,
  meaning?: FoundByMeaning,
): Promise<Reckoned> {
  const { query, statistics, after, explain } = prepared;
  const documents = after?.documents ?? statistics.documents;
  const frequencies =
    after?.frequencies ??
    (isWordless(prepared, meaning)
      ? query.parsed.words.map(() => 0)
      : await countWords(transaction, query, statistics, { shown: explain }));
  return {
    documents,
    frequencies,
    ranking: {
      weights: weighWords(query.parsed, documents, frequencies),
      averageLength: after?.averageLength ?? statistics.averageLength,
      now: after ? new Date(after.now) : now,
    },
  };
}

/** By meaning alone no word counts, and none is looked at: counting them took longer than finding what is near. */
export function isWordless({ explain }: Prepared, meaning: FoundByMeaning | undefined): boolean {
  return meaning?.weight === 1 && !explain;
}

const excerptCharacters = 400;

async function readBack(
  context: CommandContext,
  { query, highlight }: Prepared,
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
