import { parseArgs } from "node:util";
import { benchSize } from "../bench/bench-size.ts";
import { type } from "../bench/file-caller.ts";
import { quantile } from "../bench/quantile.ts";
import { atLeast, atMost, type Report } from "../bench/report.ts";
import { askSearch } from "../evaluate/ask-search.ts";
import { type Collection, defaultCollections } from "../evaluate/collection.ts";
import type { Evaluation } from "../evaluate/evaluation.ts";
import { chooseCollections, overCollections, type ServedSearch } from "../evaluate/judged-collections.ts";
import { mean, ndcgAt10 } from "../evaluate/measures.ts";
import { mergeIndex } from "../evaluate/merge-index.ts";
import { misspelledQueries } from "../evaluate/misspell.ts";
import { putDocuments } from "../evaluate/put-documents.ts";

/**
 * Of the clean figure, and what clean queries may lose because their unknown words are corrected. The sample has so few
 * queries that one of them decides.
 */
const tolerated = benchSize({ share: 0.97, loss: 0.002 }, { share: 0.95, loss: 0.02 });
/** Of a few queries, one differently judged hit would decide. */
const leastQueries = 20;

interface Result {
  collection: string;
  queries: number;
  "clean, uncorrected": number;
  clean: number;
  "typo, uncorrected": number;
  typo: number;
  share: number;
  "p95 ms": number;
}

interface Loss {
  collection: string;
  typed: string;
  "clean, uncorrected": number;
  corrected: number;
}

const worstShown = 10;
/** Characters of a query: some are a page long. */
const mostShown = 60;

/**
 * `[name …] [--collections DIR]`: judged queries, clean and with a seeded slip in the rarest word of each. nDCG@10 with
 * and without corrections.
 */
export default {
  summary: "one slip in the rarest word of a query costs next to nothing, and clean queries lose nothing",
  async run(given) {
    const { values, positionals } = parseArgs({
      args: given,
      allowPositionals: true,
      options: { collections: { type: "string", default: defaultCollections } },
    });
    const losses: Loss[] = [];
    const results = await overCollections(
      chooseCollections(values.collections, positionals),
      { isEmbedded: false },
      async (served, collection) => {
        const result = await measure(served, collection, losses);
        console.error(JSON.stringify(result));
        return result;
      },
    );
    return reportOf(
      results.filter((result) => result !== undefined),
      losses,
    );
  },
} satisfies Evaluation;

async function measure(
  { api, worker }: ServedSearch,
  collection: Collection,
  losses: Loss[],
): Promise<Result | undefined> {
  const queries = misspelledQueries(collection);
  if (queries.length < leastQueries) return undefined;
  const { data } = await type(api, `workspaces create ${collection.name}`);
  await putDocuments(api, String(data.slug), collection);
  await mergeIndex(worker);
  const millis: number[] = [];
  const ask = async (kind: "text" | "typo", correct: boolean) => {
    const gains: number[] = [];
    for (const query of queries) {
      const started = performance.now();
      const scope = { workspaceId: data.id, mode: "fulltext", entityTypes: ["FILE"], limit: 10 };
      const hits = await askSearch(api, { query: query[kind], correct, ...scope });
      if (kind === "typo" && correct) millis.push(performance.now() - started);
      const ids = hits.map(({ title }) => collection.documents[Number.parseInt(title, 10)]?.id ?? "");
      gains.push(ndcgAt10(ids, query.grades));
    }
    return gains;
  };
  const uncorrected = await ask("text", false);
  const corrected = { typo: await ask("typo", true), text: await ask("text", true) };
  for (const kind of ["typo", "text"] as const) {
    for (const [index, query] of queries.entries()) {
      const gains = { "clean, uncorrected": uncorrected[index] ?? 0, corrected: corrected[kind][index] ?? 0 };
      losses.push({ collection: collection.name, typed: cut(query[kind]), ...gains });
    }
  }
  return {
    collection: collection.name,
    queries: queries.length,
    "clean, uncorrected": mean(uncorrected),
    clean: mean(corrected.text),
    "typo, uncorrected": mean(await ask("typo", false)),
    typo: mean(corrected.typo),
    share: mean(corrected.typo) / mean(uncorrected),
    "p95 ms": quantile(millis, 0.95),
  };
}

function reportOf(results: readonly Result[], losses: readonly Loss[]): Report {
  return {
    tables: [
      { title: "Typos, nDCG@10", rows: results.map((result) => ({ ...result })) },
      { title: `The ${worstShown} that lose most`, rows: worstOf(losses).map((loss) => ({ ...loss })) },
    ],
    bars: results.flatMap((result) => [
      atLeast(`${result.collection}, share of the clean nDCG@10`, result.share, tolerated.share),
      atMost(
        `${result.collection}, lost by clean queries`,
        result["clean, uncorrected"] - result.clean,
        tolerated.loss,
      ),
    ]),
  };
}

function cut(text: string): string {
  return text.length > mostShown ? `${text.slice(0, mostShown - 1)}…` : text;
}

function worstOf(losses: readonly Loss[]): Loss[] {
  const lossOf = (loss: Loss) => loss["clean, uncorrected"] - loss.corrected;
  return losses.toSorted((left, right) => lossOf(right) - lossOf(left)).slice(0, worstShown);
}
