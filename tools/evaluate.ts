import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { bringLocalModel } from "@svc/testing/embedding-models";
import { createTestDatabase } from "@svc/testing/test-database";
import { benchSize } from "./bench/bench-size.ts";
import { type } from "./bench/file-caller.ts";
import { HttpClient } from "./bench/http-client.ts";
import { missingFigures } from "./bench/missing-figures.ts";
import { startApi } from "./bench/processes/api-process.ts";
import { median, quantile } from "./bench/quantile.ts";
import { atLeast, atMost, type Bar, barsText, figuresText, isPassed } from "./bench/report.ts";
import { seedSampleTenant } from "./bench/scale-data/sample-tenant.ts";
import { createScratchFolder } from "./bench/scratch-folder.ts";
import { bars, evaluations } from "./evaluate/bars.ts";
import {
  type Collection,
  collectionNames,
  defaultCollections,
  readCollection,
} from "./evaluate/collection.ts";
import { embedWaiting } from "./evaluate/embed-waiting.ts";
import { mean, ndcgAt10, recall } from "./evaluate/measures.ts";
import { type Api, putDocuments } from "./evaluate/put-documents.ts";
import { sampleCollection } from "./evaluate/sample-collection.ts";

/**
 * `npm run evaluate -- fulltext|hybrid [name …] [--collections DIR]`: how good the answers are, on collections with
 * judgements. They are put as ordinary files by the ordinary command, and searched through the ordinary address. With
 * meaning each is asked by words alone as well: a collection without a bar must not lose by it.
 * BENCH_SIZE=smoke takes the sample company's documents instead. Its bars count: they do not depend on the machine.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { collections: { type: "string", default: defaultCollections } },
});
const [mode = "fulltext", ...wanted] = positionals;
/** What meaning may cost if the model does not know the language. */
const tolerated = 0.01;
/** A busy machine may be too slow for the model's time limit: a late answer is available the next time. */
const mostTries = 20;
const barsOfMode = bars[mode];
const collections = benchSize(readCollections, () => [sampleCollection()])();
if (!barsOfMode) {
  console.error(`There is no evaluation ${mode}. There are: ${evaluations.join(", ")}.`);
  process.exitCode = 2;
} else if (collections.length === 0) {
  console.error(
    `Nothing to evaluate: ${values.collections} does not have ${wanted.join(", ") || "collections"}.`,
  );
  process.exitCode = 1;
} else {
  await evaluate(mode, barsOfMode);
}

function readCollections(): Collection[] {
  return collectionNames(values.collections)
    .filter((name) => wanted.length === 0 || wanted.includes(name))
    .map((name) => readCollection(values.collections, name));
}

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

async function evaluate(searchMode: string, collectionBars: Record<string, number>): Promise<void> {
  execFileSync(process.execPath, [join(import.meta.dirname, "database.ts"), "up"], {
    stdio: ["ignore", process.stderr, "inherit"],
  });
  if (searchMode !== "fulltext") await bringLocalModel();
  await using folder = await createScratchFolder();
  const database = await createTestDatabase({ isDurable: true });
  try {
    const token = seedSampleTenant(database.adminUrl, join(folder.path, "token"));
    await using server = await startApi({
      databaseUrl: database.appUrl,
      folder: folder.path,
      embedders: searchMode === "fulltext" ? [] : [{ kind: "local" }],
    });
    using client = new HttpClient();
    const api = { client, url: server.url, token };
    const worker = { databaseUrl: database.workerUrl, folder: folder.path };
    const results: Result[] = [];
    for (const collection of collections) {
      const result = await measure(api, worker, collection, searchMode);
      console.error(JSON.stringify(result));
      results.push(result);
    }
    const asked = results.reduce((sum, { queries }) => sum + queries, 0);
    const empty = results.reduce((sum, result) => sum + result["nothing found"], 0);
    const reached: Bar[] = [
      ...results.map((result) => {
        const byWords = result["by words"];
        const least = byWords === undefined ? 0 : byWords - tolerated;
        return atLeast(
          `${result.collection}, nDCG@10`,
          result["nDCG@10"],
          collectionBars[result.collection] ?? least,
        );
      }),
      atMost("queries that find nothing, of 100", (100 * empty) / asked, 1),
    ];
    const report = {
      tables: [{ title: `Relevance, ${searchMode}`, rows: results.map((result) => ({ ...result })) }],
      bars: reached,
    };
    console.log(`${figuresText(report)}\n\n${barsText(report)}`);
    const missing = missingFigures(report);
    for (const sentence of missing) console.error(sentence);
    process.exitCode = missing.length === 0 && isPassed(report) ? 0 : 1;
  } finally {
    await database.drop();
  }
}

async function measure(
  api: Api,
  worker: Parameters<typeof embedWaiting>[1],
  collection: Collection,
  mode: string,
): Promise<Result> {
  const { name, documents } = collection;
  const { data } = await type(api, `workspaces create ${name}`);
  const begun = performance.now();
  await putDocuments(api, String(data.slug), collection);
  const seconds = (performance.now() - begun) / 1_000;
  if (mode !== "fulltext") {
    await type(api, `workspaces update ${data.slug} --semantic-search on`);
    await embedWaiting(api, worker);
  }
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

async function askAll(
  api: Api,
  { documents, queries }: Collection,
  workspaceId: unknown,
  mode: string,
): Promise<{ ids: string[]; grades: ReadonlyMap<string, number>; millis: number }[]> {
  const answers = [];
  for (const { text, grades } of queries) {
    const asked = performance.now();
    const found = await search(api, { query: text, workspaceId, mode });
    const ids = found.map((title) => documents[Number.parseInt(title, 10)]?.id ?? "");
    answers.push({ ids, grades, millis: performance.now() - asked });
  }
  return answers;
}

async function search(
  { client, url, token }: Api,
  question: Record<string, unknown>,
  tries = 1,
): Promise<string[]> {
  const answer = await client.send(`${url}/api/v1/search`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({
      searchContent: true,
      entityTypes: ["FILE"],
      limit: 100,
      highlight: false,
      ...question,
    }),
  });
  const { hits, semantic } = JSON.parse(answer) as { hits: { title: string }[]; semantic: { state: string } };
  if (semantic.state === "unavailable" && tries < mostTries) {
    await sleep(1_000);
    return search({ client, url, token }, question, tries + 1);
  }
  return hits.map(({ title }) => title);
}
