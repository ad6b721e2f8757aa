import { mayBeIn, queryText } from "@svc/search/query/query-text";
import { wordsAlone } from "@svc/search/query/words-alone";
import { countWords } from "@svc/search/ranking/count-words";
import { usualWeight } from "@svc/search/ranking/fuse";
import type { CommandContext } from "../../../../platform/commands/command-context.ts";
import { type MeaningObstacle, meaningObstacles } from "../../../../platform/search/meaning-obstacles.ts";
import { leastSimilarityOf, type QueryVector } from "../../../../platform/search/query-vectors.ts";
import { modelOf } from "../../../embeddings/embeddings.ts";
import { workspacesByMeaning } from "../../../findable/findable.ts";
import { idOf } from "../parse/question.ts";
import { allDocuments, type VisibleSearch } from "../visibility/narrow-to-visible.ts";

/** What meaning adds to a search, or why it adds nothing. */
export type AskedMeaning =
  | { state: "used"; model: string; vector: string; leastSimilarity: number; weight: number }
  | ({ state: "off" | "unavailable"; model?: string } & Partial<MeaningObstacle>);

/**
 * The vector of a query. If it is not known yet, the call waits first and restarts: no connection is held while a model
 * is called. A search of names only, or without meaning, costs nothing here.
 */
export async function askMeaning(context: CommandContext, visible: VisibleSearch): Promise<AskedMeaning> {
  const { question } = visible;
  const { mode, searchContent, entityTypes, query } = question;
  if (mode === "fulltext") return { state: "off" };
  // By date, what is only similar would come before what has the words.
  if (question.sort !== "relevance") {
    return { state: "off", ...(mode === "auto" ? {} : meaningObstacles.sorted) };
  }
  // guard: names-need-no-embedding
  if (!searchContent) return { state: "off", ...(mode === "auto" ? {} : meaningObstacles.onlyNames) };
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
  // A search box sends every keystroke, and each would be a call that is paid for.
  // guard: typing-costs-nothing
  if (question.typing) return { state: "off", ...meaningObstacles.unfinished, model };
  const needless = mode === "auto" ? await needlessFor(context, visible) : undefined;
  if (needless) return { state: "off", ...needless, model };
  const { vector, ...obstacle } = vectorOf(context, model, text);
  if (vector === undefined) return { state: "unavailable", ...obstacle, model };
  const weight = mode === "semantic" ? 1 : usualWeight;
  return { state: "used", model, vector, leastSimilarity: leastSimilarityOf(queryVectors, model), weight };
}

/** In auto mode, why words alone answer better. */
async function needlessFor(
  { transaction }: CommandContext,
  { question, parsed, query, statistics, after }: VisibleSearch,
): Promise<MeaningObstacle | undefined> {
  // The first page decided.
  if (after?.meaning) return undefined;
  const alone = wordsAlone(question.query, parsed, { isTyping: question.typing });
  // guard: words-alone
  if (alone) return meaningObstacles[alone];
  const [word, ...others] = parsed.words;
  if (!word || word.body.length === 0 || others.length > 0) return undefined;
  // Eight misspelt words each brought 37 of 1,400 files on average, none of them right.
  const everything = { ...query, source: { ...query.source, filters: allDocuments } };
  const [found = 0] = await countWords(transaction, everything, statistics, { shown: true });
  return found === 0 ? meaningObstacles.unknownWord : undefined;
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
