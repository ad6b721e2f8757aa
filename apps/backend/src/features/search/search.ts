import { decodeId } from "@svc/protocol/typed-id";
import type { EntityType } from "@svc/search/index/documents";
import { findShelves } from "@svc/search/index/shelf";
import { suggestNames } from "@svc/search/inspecting/suggest-names";
import { type ParsedQuery, parseQuery } from "@svc/search/query/parse-query";
import { mostNear } from "@svc/search/ranking/fuse";
import type { SearchQuery } from "@svc/search/ranking/search-query";
import type { Filters, Source } from "@svc/search/visibility/visible-documents";
import { withinTime } from "@svc/search/visibility/within-time";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { nobody } from "../../platform/identity/nobody.ts";
import { showEntities, visibilityOf } from "../findable/findable.ts";
import { keepQuery } from "../query-log/query-log.ts";
import type { AskedMeaning } from "./finding/ask-meaning.ts";
import { type ByMeaning, findByMeaning, mayMiss, withoutMeaning } from "./finding/find-by-meaning.ts";
import { type FoundPage, findPage, isWordless, type Prepared } from "./finding/find-page.ts";
import { hitView } from "./finding/hit-view.ts";
import { idOf, type Question } from "./finding/question.ts";
import { readCursor, searchKey } from "./finding/search-cursor.ts";
import { findPlaces } from "./finding/search-places.ts";

/** Of one statement. Names alone are looked through where a text search takes longer. */
const timeLimits = { millis: 1_500, namesMillis: 1_000 };

/** Names are looked for where contents are not; records have only contents. */
const namedTypes: readonly EntityType[] = ["FILE", "FOLDER", "WORKSPACE"];

/** Finds what matches and the caller may see, a page at a time. */
export async function search(context: CommandContext, question: Question, asked: AskedMeaning) {
  const started = performance.now();
  const { transaction } = context;
  const looked = await withinTime(transaction, timeLimits.millis, () => prepare(context, question));
  const { whole, byMeaning } = looked
    ? await findWhole(context, looked, question, asked)
    : { byMeaning: withoutMeaning(asked) };
  const found =
    whole ??
    (looked &&
      (await withinTime(transaction, timeLimits.namesMillis, () =>
        findPage(context, { ...looked, query: { ...looked.query, content: false } }, byMeaning.found),
      )));
  const hits =
    (looked &&
      found?.shown.map((hit) => hitView(hit, looked.query.parsed, question.explain ? found : undefined))) ??
    [];
  // A name that is spelled alike is no answer to who looks for a meaning.
  const mayBeMisspelled = question.cursor === undefined && question.mode !== "semantic";
  const suggestions =
    hits.length === 0 && looked && found && mayBeMisspelled
      ? await withinTime(transaction, timeLimits.namesMillis, () => suggest(context, looked.query))
      : [];
  if (question.cursor === undefined && found) keepQuery(context, question.query, found.total);
  return {
    items: hits,
    ...(found?.nextCursor === undefined ? {} : { nextCursor: found.nextCursor }),
    total: {
      value: found?.total ?? 0,
      relation: found?.isComplete ? ("eq" as const) : ("gte" as const),
    },
    semantic: byMeaning.semantic,
    // Some words were not looked at, or texts were not, because it took too long.
    ...(whole === undefined || looked?.query.parsed.isCut ? { partial: true } : {}),
    ...(suggestions && suggestions.length > 0 ? { suggestions } : {}),
    tookMs: Math.round(performance.now() - started),
  };
}

/** By meaning alone few are enough for most pages, and what is far costs the most to find. */
const few = { times: 4, least: 50 };

async function findWhole(
  context: CommandContext,
  prepared: Prepared,
  question: Question,
  asked: AskedMeaning,
): Promise<{ whole: FoundPage | undefined; byMeaning: ByMeaning }> {
  const { query, after, limit } = prepared;
  const workspaceId = idOf(question.workspaceId, "workspace");
  const isNarrow = query.parsed.phrases.length > 0 || query.parsed.excluded.length > 0;
  const isAlone = question.mode === "semantic" && !after && !isNarrow;
  const first = isAlone ? Math.max(few.least, limit * few.times) : mostNear;
  for (let most = Math.min(first, mostNear); ; most = mostNear) {
    const byMeaning = await findByMeaning(context, query, asked, { workspaceId, after, most });
    const { found } = byMeaning;
    const plans = found && isWordless(prepared, found) ? "force_generic_plan" : "auto";
    const whole = await withinTime(
      context.transaction,
      timeLimits.millis,
      () => findLeg(context, prepared, question, byMeaning),
      { plans },
    );
    const shown = whole?.shown.map(({ document }) => document);
    const isSettled =
      most >= mostNear ||
      !shown ||
      !found ||
      !whole?.meaning ||
      !mayMiss(shown, found, limit, whole.meaning.bounds);
    if (isSettled) return { whole, byMeaning };
  }
}

/** By meaning alone nothing is found without it; and what began with it does not go on without it, in another order. */
async function findLeg(
  context: CommandContext,
  prepared: Prepared,
  { mode, cursor }: Question,
  { found }: ByMeaning,
): Promise<FoundPage> {
  const goesOn = prepared.after?.meaning !== undefined;
  if (found || (mode !== "semantic" && !goesOn)) return findPage(context, prepared, found);
  const nothing = { shown: [], total: 0, weights: [], frequencies: [] };
  return { ...nothing, nextCursor: goesOn ? cursor : undefined, isComplete: !goesOn };
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
  const statistics = await context.search.statistics.of(context.transaction, {
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

const mostSuggestions = 3;

async function suggest(context: CommandContext, { source, parsed }: SearchQuery): Promise<string[]> {
  const found = await suggestNames(context.transaction, source, parsed.wholeName, mostSuggestions);
  const entities = await showEntities(context, found, undefined);
  return found.flatMap(({ id }) => entities.get(id)?.title ?? []);
}
