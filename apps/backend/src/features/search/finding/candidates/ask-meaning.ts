import { mayBeIn, queryText } from "@svc/search/query/query-text";
import { usualWeight } from "@svc/search/ranking/fuse";
import type { CommandContext } from "../../../../platform/commands/command-context.ts";
import { type MeaningObstacle, meaningObstacles } from "../../../../platform/search/meaning-obstacles.ts";
import { leastSimilarityOf, type QueryVector } from "../../../../platform/search/query-vectors.ts";
import { modelOf } from "../../../embeddings/embeddings.ts";
import { workspacesByMeaning } from "../../../findable/findable.ts";
import { idOf, type Question } from "../parse/question.ts";

/** What meaning adds to a search, or why it adds nothing. */
export type AskedMeaning =
  | { state: "used"; model: string; vector: string; leastSimilarity: number; weight: number }
  | ({ state: "off" | "unavailable"; model?: string } & Partial<MeaningObstacle>);

/**
 * The vector of a query. If it is not known yet, the call waits first and restarts: no connection is held while a model
 * is called. A search of names only, or without meaning, costs nothing here.
 */
export async function askMeaning(context: CommandContext, question: Question): Promise<AskedMeaning> {
  const { mode, searchContent, entityTypes, query } = question;
  // guard: names-need-no-embedding
  if (mode === "fulltext" || (mode === "auto" && !searchContent)) return { state: "off" };
  if (entityTypes?.length && !entityTypes.includes("FILE"))
    return { state: "off", ...meaningObstacles.onlyFiles };
  const text = queryText(query);
  if (!/[\p{L}\p{N}]/u.test(text)) return { state: "off", ...meaningObstacles.noWord };

  const workspaces = await workspacesByMeaning(context, idOf(question.workspaceId, "workspace"));
  // Callers who did not ask for meaning, and have no workspace with semantic search, are not told with each search.
  if (workspaces.length === 0)
    return { state: "off", ...(mode === "auto" ? {} : meaningObstacles.nobodyOptedIn) };
  const model = await modelOf(context);
  if (model === undefined) return { state: "off", ...meaningObstacles.noEmbedder };
  const { queryVectors } = context.search;
  const languages = queryVectors.factsOf(model)?.languages;
  if (languages && mode !== "semantic" && !mayBeIn(text, languages))
    return { state: "off", ...meaningObstacles.unknownLanguage(languages), model };
  const { vector, ...obstacle } = vectorOf(context, model, text);
  if (vector === undefined) return { state: "unavailable", ...obstacle, model };
  const weight = mode === "semantic" ? 1 : usualWeight;
  return { state: "used", model, vector, leastSimilarity: leastSimilarityOf(queryVectors, model), weight };
}

function vectorOf(
  { transaction: { tenantId, actorId }, search: { queryVectors }, memo, log }: CommandContext,
  model: string,
  text: string,
): QueryVector {
  const waited = memo<QueryVector>(`vector of the query by ${model}`);
  return (
    waited.value ??
    queryVectors.known(tenantId, model, text) ??
    waited.waitFor(() => queryVectors.of({ tenantId, actorId }, model, text, log))
  );
}
