import { decodeId } from "@svc/protocol/typed-id";
import type { EntityType } from "@svc/search/index/documents";
import { findShelves } from "@svc/search/index/shelf";
import type { SearchQuery } from "@svc/search/ranking/search-query";
import type { Statistics } from "@svc/search/ranking/statistics";
import type { Filters, Source, Visibility } from "@svc/search/visibility/visible-documents";
import type { CommandContext } from "../../../../platform/commands/command-context.ts";
import { nobody } from "../../../../platform/identity/nobody.ts";
import { visibilityOf } from "../../../findable/findable.ts";
import { type ParsedQuestion, readIn } from "../parse/parse-question.ts";
import { idOf, type Question } from "../parse/question.ts";
import { findPlaces } from "./search-places.ts";

/** A question and the part of the index to search. */
export interface VisibleSearch extends ParsedQuestion {
  query: SearchQuery;
  /** Everything that the caller can see, whatever the filters. */
  statistics: Statistics;
}

/** Kinds for a search of names only; records have only contents. */
const namedTypes: readonly EntityType[] = ["FILE", "FOLDER", "WORKSPACE"];

export const allDocuments: Filters = { entityTypes: [...namedTypes, "RECORD"] };

/** What the caller can see, without what the filters of the question exclude. */
export async function narrowToVisible(
  context: CommandContext,
  asked: ParsedQuestion,
): Promise<VisibleSearch> {
  const { question, after } = asked;
  const { transaction } = context;
  const visibility = await visibilityOf(context, idOf(question.workspaceId, "workspace"));
  const filters = await filtersOf(context, visibility, asked);
  const { all: shelves } = await findShelves(transaction, { hold: false });
  const place = { tenantId: transaction.tenantId, shelves, visibility };
  const statistics = await context.search.statistics.of(transaction, {
    ...place,
    filters: allDocuments,
  });
  const source: Source = { ...place, filters, reach: statistics.reach };
  const read = readIn(after?.spoken ?? statistics.spoken, asked);
  return { ...read, query: { parsed: read.parsed, content: question.searchContent, source }, statistics };
}

async function filtersOf(
  context: CommandContext,
  visibility: Visibility,
  { question, parsed: { filters } }: ParsedQuestion,
): Promise<Filters> {
  const { mediaType, owner, updatedAfter } = question;
  return {
    entityTypes: searchedTypes(question),
    ...(await placeFilters(context, visibility, filters, question)),
    ...(filters.types.length > 0 ? { types: filters.types } : {}),
    ...(filters.excludedTypes.length > 0 ? { excludedTypes: filters.excludedTypes } : {}),
    ...(mediaType === undefined ? {} : { mediaType }),
    ...(owner === undefined ? {} : { ownerId: decodeId(owner, "user", "service", "ai") ?? nobody }),
    ...(updatedAfter === undefined ? {} : { updatedAfter: new Date(updatedAfter) }),
  };
}

function searchedTypes({ searchContent, entityTypes }: Question): EntityType[] {
  const possible: EntityType[] = searchContent ? [...namedTypes, "RECORD"] : [...namedTypes];
  return entityTypes?.length ? possible.filter((type) => entityTypes.includes(type)) : possible;
}

async function placeFilters(
  context: CommandContext,
  visibility: Visibility,
  named: ParsedQuestion["parsed"]["filters"],
  { folderId }: Question,
): Promise<Pick<Filters, "within" | "notWithin">> {
  const folder = idOf(folderId, "folder");
  const places = named.in.length > 0 ? await findPlaces(context, visibility, named.in) : undefined;
  const notWithin = await findPlaces(context, visibility, named.notIn);
  const within = folder === undefined ? places : [folder];
  return { ...(within ? { within } : {}), ...(notWithin.length > 0 ? { notWithin } : {}) };
}
