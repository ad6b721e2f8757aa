import { join } from "node:path";
import { parseArgs } from "node:util";
import { bringLocalModel } from "@svc/testing/embedding-models";
import { createTestDatabase } from "@svc/testing/test-database";
import { benchSize } from "../bench/bench-size.ts";
import { type } from "../bench/file-caller.ts";
import { HttpClient } from "../bench/http-client.ts";
import { startApi } from "../bench/processes/api-process.ts";
import { median, quantile } from "../bench/quantile.ts";
import { atLeast, atMost, type Report } from "../bench/report.ts";
import { seedSampleTenant } from "../bench/scale-data/sample-tenant.ts";
import { createScratchFolder } from "../bench/scratch-folder.ts";
import { askSearch } from "./ask-search.ts";
import { bars } from "./bars.ts";
import { type Collection, collectionNames, defaultCollections, readCollection } from "./collection.ts";
import { embedWaiting } from "./embed-waiting.ts";
import { mean, ndcgAt10, recall } from "./measures.ts";
import { mergeIndex } from "./merge-index.ts";
import { type Api, putDocuments } from "./put-documents.ts";
import { sampleCollection } from "./sample-collection.ts";

/** What meaning may cost if the model does not know the language. */
const tolerated = 0.01;

interface Result {
  collection: string;
  documents: number;
  queries: number;
  "nDCG@10": number;
  "by words"?: number;
  "recall@100": number;
  "nothing found": number;
  "median ms": number;
  "p95 ms": number;
  "indexed/s": number;
}

/**
 * `[name …] [--collections DIR] [--embedded 0.5]`: collections with judgements, put as ordinary files by the ordinary
 * command, and searched through the ordinary address. With meaning each is asked by words alone as well: a collection
 * without a bar must not lose by it, and none may if only a part of its files is embedded. BENCH_SIZE=smoke takes the
 * sample company's documents instead.
 */
export async function evaluateCollections(mode: "fulltext" | "hybrid", given: string[]): Promise<Report> {
  const { values, positionals } = parseArgs({
    args: given,
    allowPositionals: true,
    options: { ...ofCollections, ...ofEmbedding },
  });
  const embedded = Number(values.embedded);
  if (!(embedded > 0 && embedded <= 1)) throw new Error("--embedded is a share, such as 0.5");
  const collections = chooseCollections(values.collections, positionals);
  const results = await overCollections(
    collections,
    { isEmbedded: mode === "hybrid" },
    async (served, collection) => {
      const result = await measure(served, collection, mode, embedded);
      console.error(JSON.stringify(result));
      return result;
    },
  );
  return reportOf(mode, results, embedded);
}

const ofCollections = { collections: { type: "string", default: defaultCollections } } as const;
const ofEmbedding = { embedded: { type: "string", default: "1" } } as const;

/** Those named, or all that are there. */
export function chooseCollections(folder: string, wanted: readonly string[]): Collection[] {
  return benchSize(
    () => {
      const names = collectionNames(folder).filter((name) => wanted.length === 0 || wanted.includes(name));
      if (names.length === 0) {
        throw new Error(
          `Nothing to evaluate: ${folder} does not have ${wanted.join(", ") || "collections"}.`,
        );
      }
      return names.map((name) => readCollection(folder, name));
    },
    () => [sampleCollection()],
  )();
}

export interface ServedSearch {
  api: Api;
  worker: Parameters<typeof embedWaiting>[1];
}

/** Starts a new service, and measures each collection there. */
export async function overCollections<T>(
  collections: readonly Collection[],
  { isEmbedded }: { isEmbedded: boolean },
  measureEach: (served: ServedSearch, collection: Collection) => Promise<T>,
): Promise<T[]> {
  if (isEmbedded) await bringLocalModel();
  await using folder = await createScratchFolder();
  const database = await createTestDatabase({ isLikeProduction: true });
  try {
    const token = seedSampleTenant(database.adminUrl, join(folder.path, "token"));
    await using server = await startApi({
      databaseUrl: database.appUrl,
      folder: folder.path,
      embedders: isEmbedded ? [{ kind: "local" }] : [],
    });
    using client = new HttpClient();
    const api = { client, url: server.url, token };
    const worker = { databaseUrl: database.workerUrl, folder: folder.path };
    const results: T[] = [];
    for (const collection of collections) results.push(await measureEach({ api, worker }, collection));
    return results;
  } finally {
    await database.drop();
  }
}

function reportOf(mode: "fulltext" | "hybrid", results: readonly Result[], embedded: number): Report {
  const asked = results.reduce((sum, { queries }) => sum + queries, 0);
  const empty = results.reduce((sum, result) => sum + result["nothing found"], 0);
  return {
    tables: [
      {
        title: `Relevance, ${mode}${embedded < 1 ? `, ${embedded} of the files embedded` : ""}`,
        rows: results.map((result) => ({ ...result })),
      },
    ],
    bars: [
      ...results.map((result) => {
        const byWords = result["by words"];
        const least = byWords === undefined ? 0 : byWords - tolerated;
        const bar = embedded < 1 ? byWords : bars[mode][result.collection];
        return atLeast(`${result.collection}, nDCG@10`, result["nDCG@10"], bar ?? least);
      }),
      atMost("queries that find nothing, of 100", (100 * empty) / asked, 1),
    ],
  };
}

async function measure(
  { api, worker }: ServedSearch,
  collection: Collection,
  mode: string,
  embedded: number,
): Promise<Result> {
  const { name, documents } = collection;
  const { data } = await type(api, `workspaces create ${name}`);
  const [first, later] = divide(documents.length, mode === "fulltext" ? 1 : embedded);
  const begun = performance.now();
  await putDocuments(api, String(data.slug), collection, first);
  if (mode !== "fulltext") {
    await type(api, `workspaces update ${data.slug} --semantic-search on`);
    await embedWaiting(api, worker);
  }
  await putDocuments(api, String(data.slug), collection, later);
  const seconds = (performance.now() - begun) / 1_000;
  await mergeIndex(worker);
  const byWords = mode === "fulltext" ? undefined : await askAll(api, collection, data.id, "fulltext");
  const answers = await askAll(api, collection, data.id, mode);
  const millis = answers.map((answer) => answer.millis);
  return {
    collection: name,
    documents: documents.length,
    queries: answers.length,
    "nDCG@10": mean(answers.map(({ ids, grades }) => ndcgAt10(ids, grades))),
    ...(byWords ? { "by words": mean(byWords.map(({ ids, grades }) => ndcgAt10(ids, grades))) } : {}),
    "recall@100": mean(answers.map(({ ids, grades }) => recall(ids, grades))),
    "nothing found": answers.filter(({ ids }) => ids.length === 0).length,
    "median ms": median(millis),
    "p95 ms": quantile(millis, 0.95),
    "indexed/s": documents.length / seconds,
  };
}

/** The numbers of a share of the documents, spread over all, and of the rest. */
function divide(documents: number, share: number): [number[], number[]] {
  const isFirst = (number: number) => Math.floor((number + 1) * share) > Math.floor(number * share);
  const { first = [], later = [] } = Object.groupBy(Array(documents).keys(), (number) =>
    isFirst(number) ? "first" : "later",
  );
  return [first, later];
}

async function askAll(
  api: Api,
  { documents, queries }: Collection,
  workspaceId: unknown,
  mode: string,
): Promise<{ ids: string[]; grades: ReadonlyMap<string, number>; millis: number }[]> {
  const answers = [];
  for (const { text, grades } of queries) {
    const asked = performance.now();
    const hits = await askSearch(api, { query: text, workspaceId, mode, entityTypes: ["FILE"], limit: 100 });
    const ids = hits.map(({ title }) => documents[Number.parseInt(title, 10)]?.id ?? "");
    answers.push({ ids, grades, millis: performance.now() - asked });
  }
  return answers;
}
