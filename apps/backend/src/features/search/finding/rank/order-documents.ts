import { rankDocuments } from "@svc/search/ranking/rank-documents";
import type { DocumentsToRank, RankedPage } from "@svc/search/ranking/ranked-page";
import type { RankedQuery } from "@svc/search/ranking/search-query";
import { sortDocuments } from "@svc/search/ranking/sorted/sort-documents";
import type { CommandContext } from "../../../../platform/commands/command-context.ts";
import type { Question } from "../parse/question.ts";
import { beginAgain } from "../parse/search-cursor.ts";
import { sortOrder } from "./sort-order.ts";

/** Where the hits before ended. */
export interface PagePlace {
  level: number;
  score: number;
  id: string;
  sortKey?: string | number | undefined;
}

/** The next hits, in the order of the question. */
export function orderDocuments(
  context: CommandContext,
  question: Question,
  query: RankedQuery,
  { after, ...asked }: Omit<DocumentsToRank, "after"> & { after: PagePlace | undefined },
): Promise<RankedPage> {
  const { transaction } = context;
  const order = sortOrder(context, question);
  if (!order) return rankDocuments(transaction, query, { ...asked, after });
  const { ranking, statistics, limit } = asked;
  return sortDocuments(transaction, query, {
    order,
    ranking,
    statistics,
    limit,
    after: after && placeIn(after, order),
  });
}

/** The key of a changed cursor may be of another kind. */
function placeIn({ id, sortKey }: PagePlace, { type }: { type: "bigint" | "text" }) {
  if (sortKey === undefined || (typeof sortKey === "string") !== (type === "text")) throw beginAgain();
  return { id, sortKey };
}
