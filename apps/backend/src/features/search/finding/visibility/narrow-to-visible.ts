import type { EntityType } from "@svc/search/index/documents";
import { findShelves } from "@svc/search/index/shelf";
import type { Ignored } from "@svc/search/query/ignored";
import type { SearchQuery } from "@svc/search/ranking/search-query";
import type { Statistics } from "@svc/search/ranking/statistics";
import type { Filters, Source } from "@svc/search/visibility/visible-documents";
import type { CommandContext } from "../../../../platform/commands/command-context.ts";
import { visibilityOf } from "../../../findable/findable.ts";
import { type ParsedQuestion, readIn } from "../parse/parse-question.ts";
import { idOf, type Question } from "../parse/question.ts";
import { findOwners } from "./find-owners.ts";
import { operatorFilters } from "./operator-filters.ts";

/** A question and the part of the index to search. */
export interface VisibleSearch extends ParsedQuestion {
  query: SearchQuery;
  /** Everything that the caller can see, whatever the filters. */
  statistics: Statistics;
  /** Parts of the query that did not do what they look like. */
  ignored: readonly Ignored[];
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
  const { all: shelves } = await findShelves(transaction, { hold: false });
  const place = { tenantId: transaction.tenantId, shelves, visibility };
  const statistics = await context.search.statistics.of(transaction, {
    ...place,
    filters: allDocuments,
  });
  const read = readIn(after?.spoken ?? statistics.spoken, asked);
  const { filters, ignored, isCut } = await operatorFilters(context, place, read.parsed.filters);
  const source: Source = {
    ...place,
    filters: { ...filters, ...flagFilters(question), ...(await ownerFilter(context, question, filters)) },
    reach: statistics.reach,
  };
  return {
    ...read,
    parsed: { ...read.parsed, isCut: read.parsed.isCut || isCut },
    query: { parsed: read.parsed, content: question.searchContent, source },
    statistics,
    ignored: [...read.parsed.ignored, ...ignored],
  };
}

function flagFilters(question: Question): Filters {
  const { mediaType, updatedAfter, folderId } = question;
  const folder = idOf(folderId, "folder");
  return {
    entityTypes: searchedTypes(question),
    ...(folder === undefined ? {} : { within: [folder] }),
    ...(mediaType === undefined ? {} : { mediaType }),
    ...(updatedAfter === undefined ? {} : { updatedAfter: new Date(updatedAfter) }),
  };
}

/** The same people as those of `owner:`, and of these if both are given. */
async function ownerFilter(
  context: CommandContext,
  { owner }: Question,
  { ownerIds: others }: Pick<Filters, "ownerIds">,
): Promise<Pick<Filters, "ownerIds">> {
  if (owner === undefined) return {};
  const { ids } = await findOwners(context, [owner]);
  return { ownerIds: others ? ids.filter((id) => others.includes(id)) : ids };
}

function searchedTypes({ searchContent, entityTypes }: Question): EntityType[] {
  const possible: EntityType[] = searchContent ? [...namedTypes, "RECORD"] : [...namedTypes];
  return entityTypes?.length ? possible.filter((type) => entityTypes.includes(type)) : possible;
}
