import { decodeId, type IdKind } from "@svc/protocol/typed-id";
import { countWords, weighWords } from "@svc/search/count-words";
import type { EntityType } from "@svc/search/documents";
import { type ParsedQuery, parseQuery } from "@svc/search/parse-query";
import {
  type RankedDocument,
  type RankedPage,
  type RankingKey,
  rankDocuments,
} from "@svc/search/rank-documents";
import type { SearchQuery } from "@svc/search/search-query";
import { findShelves } from "@svc/search/shelf";
import type { Statistics } from "@svc/search/statistics";
import { suggestNames } from "@svc/search/suggest-names";
import type { Filters, Source } from "@svc/search/visible-documents";
import { withinTime } from "@svc/search/within-time";
import type { CommandContext } from "../../platform/command-context.ts";
import type { ExcerptRequest, ShownEntity } from "../../platform/search-source.ts";
import { type Hit, hitView } from "./hit-view.ts";
import { keepQuery } from "./query-log.ts";
import { type Cursor, readCursor, searchKey, writeCursor } from "./search-cursor.ts";
import { findPlaces } from "./search-places.ts";
import { visibilityOf } from "./visibility.ts";

export { visibilityOf } from "./visibility.ts";

export interface Question {
  query: string;
  searchContent: boolean;
  workspaceId?: string | undefined;
  folderId?: string | undefined;
  entityTypes?: readonly EntityType[] | undefined;
  mediaType?: string | undefined;
  owner?: string | undefined;
  updatedAfter?: string | undefined;
  limit: number;
  cursor?: string | undefined;
  highlight: boolean;
  explain: boolean;
}

/** Of one statement. Names alone are looked through where a text search takes longer. */
const timeLimits = { millis: 1_500, namesMillis: 1_000 };

/** Names are looked for where contents are not; records have only contents. */
const namedTypes: readonly EntityType[] = ["FILE", "FOLDER", "WORKSPACE"];
/** Finds what matches and the caller may see, a page at a time. */
export async function search(context: CommandContext, question: Question) {
  const started = performance.now();
  const { transaction } = context;
  let prepared: Prepared | undefined;
  const whole = await withinTime(transaction, timeLimits.millis, async () => {
    prepared = await prepare(context, question);
    return findPage(context, prepared);
  });
  const asked = prepared;
  const found =
    whole ??
    (asked &&
      (await withinTime(transaction, timeLimits.namesMillis, () =>
        findPage(context, { ...asked, query: { ...asked.query, content: false } }),
      )));
  const hits =
    (asked &&
      found?.shown.map((hit) => hitView(hit, asked.query.parsed, question.explain ? found : undefined))) ??
    [];
  const suggestions =
    hits.length === 0 && asked && found && question.cursor === undefined
      ? await withinTime(transaction, timeLimits.namesMillis, () => suggest(context, asked.query))
      : [];
  if (question.cursor === undefined && found) keepQuery(context, question.query, found.total);
  return {
    items: hits,
    ...(found?.nextCursor === undefined ? {} : { nextCursor: found.nextCursor }),
    total: {
      value: found?.total ?? 0,
      relation: found?.isComplete ? ("eq" as const) : ("gte" as const),
    },
    semantic: { state: "off" as const, embedded: 0, waiting: 0 },
    // Some words were not looked at, or texts were not, because it took too long.
    ...(whole === undefined || asked?.query.parsed.isCut ? { partial: true } : {}),
    ...(suggestions && suggestions.length > 0 ? { suggestions } : {}),
    tookMs: Math.round(performance.now() - started),
  };
}

export interface Prepared {
  key: string;
  query: SearchQuery;
  statistics: Statistics;
  after: Cursor | undefined;
  limit: number;
  highlight: boolean;
  explain: boolean;
}

export async function prepare(context: CommandContext, question: Question): Promise<Prepared> {
  const { limit, cursor, highlight, explain, ...asked } = question;
  const key = searchKey(asked);
  const parsed = parseQuery(question.query);
  const visibility = await visibilityOf(context, idOf(question.workspaceId, "workspace"));
  const filters: Filters = {
    entityTypes: searchedTypes(question),
    ...(await placeFilters(context, visibility, parsed, question)),
    ...(parsed.filters.types.length > 0 ? { types: parsed.filters.types } : {}),
    ...(parsed.filters.excludedTypes.length > 0 ? { excludedTypes: parsed.filters.excludedTypes } : {}),
    ...(question.mediaType === undefined ? {} : { mediaType: question.mediaType }),
    ...(question.owner === undefined
      ? {}
      : { ownerId: decodeId(question.owner, "user", "service", "ai") ?? nobody }),
    ...(question.updatedAfter === undefined ? {} : { updatedAfter: new Date(question.updatedAfter) }),
  };
  const { all: shelves } = await findShelves(context.transaction, { hold: false });
  const place = { tenantId: context.transaction.tenantId, shelves, visibility };
  const statistics = await context.searchSources.statistics.of(context.transaction, {
    ...place,
    filters: { entityTypes: [...namedTypes, "RECORD"] },
  });
  const source: Source = { ...place, filters, reach: statistics.reach };
  return {
    key,
    query: { parsed, content: question.searchContent, source },
    statistics,
    after: cursor === undefined ? undefined : readCursor(cursor, key),
    limit,
    highlight,
    explain,
  };
}

/** No principal has it. */
const nobody = "00000000-0000-0000-0000-000000000000";

/** An id of another kind, or none at all, is where nothing is. */
function idOf(shown: string | undefined, kind: IdKind): string | undefined {
  return shown === undefined ? undefined : (decodeId(shown, kind) ?? nobody);
}

function searchedTypes({ searchContent, entityTypes }: Question): EntityType[] {
  const possible: EntityType[] = searchContent ? [...namedTypes, "RECORD"] : [...namedTypes];
  return entityTypes?.length ? possible.filter((type) => entityTypes.includes(type)) : possible;
}

async function placeFilters(
  context: CommandContext,
  visibility: Source["visibility"],
  { filters }: ParsedQuery,
  { folderId }: Question,
): Promise<Pick<Filters, "within" | "notWithin">> {
  const folder = idOf(folderId, "folder");
  const named = filters.in.length > 0 ? await findPlaces(context, visibility, filters.in) : undefined;
  const notWithin = await findPlaces(context, visibility, filters.notIn);
  const within = folder === undefined ? named : [folder];
  return { ...(within ? { within } : {}), ...(notWithin.length > 0 ? { notWithin } : {}) };
}

interface FoundPage {
  shown: Hit[];
  nextCursor: string | undefined;
  total: number;
  isComplete: boolean;
  weights: number[];
  frequencies: number[];
}

/** Ranked in the index, then read again where the rights are; what may not be shown after all is made up for. */
async function findPage(context: CommandContext, prepared: Prepared): Promise<FoundPage> {
  const { query, statistics, after, limit, key, explain } = prepared;
  const { transaction } = context;
  const documents = after?.documents ?? statistics.documents;
  const averageLength = after?.averageLength ?? statistics.averageLength;
  const frequencies =
    after?.frequencies ?? (await countWords(transaction, query, statistics, { shown: explain }));
  const now = after ? new Date(after.now) : context.now;
  const weights = weighWords(query.parsed, documents, frequencies);
  const ranking = { weights, averageLength, now };

  const shown: Hit[] = [];
  let hidden = 0;
  let page: RankedPage;
  let last: RankingKey | undefined = after;
  do {
    const wanted = limit - shown.length + 1;
    page = await rankDocuments(transaction, query, {
      ranking,
      statistics,
      frequencies,
      after: last,
      limit: wanted,
    });
    const hits = await readBack(context, prepared, page.documents);
    shown.push(...hits);
    hidden += page.documents.length - hits.length;
    last = page.documents.at(-1);
    // There was more, and some of it may not be shown: look on.
    if (page.documents.length < wanted) break;
  } while (shown.length <= limit && last);

  const end = shown[limit - 1]?.document;
  const hasMore = shown.length > limit && end !== undefined;
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
        })
      : undefined,
    total: page.candidates - hidden,
    isComplete: page.isComplete,
    weights,
    frequencies,
  };
}

const excerptCharacters = 400;

async function readBack(
  context: CommandContext,
  { query, highlight }: Prepared,
  documents: readonly RankedDocument[],
): Promise<Hit[]> {
  const excerpt =
    highlight && query.content
      ? { words: query.parsed.typed.slice(0, 20), characters: excerptCharacters }
      : undefined;
  const entities = await showEntities(context, documents, excerpt);
  return documents.flatMap((document) => {
    const entity = entities.get(document.id);
    return entity ? [{ document, entity }] : [];
  });
}

const mostSuggestions = 3;

async function suggest(context: CommandContext, { source, parsed }: SearchQuery): Promise<string[]> {
  const found = await suggestNames(context.transaction, source, parsed.wholeName, mostSuggestions);
  const entities = await showEntities(context, found, undefined);
  return found.flatMap(({ id }) => entities.get(id)?.title ?? []);
}

/** Those that the caller may see, by id. */
async function showEntities(
  context: CommandContext,
  documents: readonly { id: string; entityType: EntityType }[],
  excerpt: ExcerptRequest | undefined,
): Promise<ReadonlyMap<string, ShownEntity>> {
  const sources = Map.groupBy(documents, ({ entityType }) => context.searchSources.of(entityType));
  const entities = new Map<string, ShownEntity>();
  for (const [source, some] of sources) {
    const ids = some.map(({ id }) => id);
    for (const entity of await source.show(context, ids, excerpt)) entities.set(entity.id, entity);
  }
  return entities;
}
