import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createTestDatabase } from "@svc/testing/test-database";
import { type } from "./bench/file-caller.ts";
import { HttpClient } from "./bench/http-client.ts";
import { startApi } from "./bench/processes/api-process.ts";
import { median, quantile } from "./bench/quantile.ts";
import { atLeast, atMost, type Bar, isPassed, toText } from "./bench/report.ts";
import { seedSampleTenant } from "./bench/scale-data/sample-tenant.ts";
import { createScratchFolder } from "./bench/scratch-folder.ts";
import { type Collection, collectionNames, readCollection } from "./evaluate/collection.ts";
import { embedWaiting } from "./evaluate/embed-waiting.ts";
import { mean, ndcgAt10, recall } from "./evaluate/measures.ts";
import { type Api, putDocuments } from "./evaluate/put-documents.ts";

/**
 * `npm run evaluate -- fulltext|hybrid [name …] [--collections DIR]`: how good the answers are, on collections with
 * judgements. They are put as ordinary files by the ordinary command, and searched through the ordinary address. With
 * meaning each is asked by words alone as well: what has no bar of its own must not lose by it.
 */
const bars: Record<string, Record<string, number>> = {
  fulltext: {
    scifact: 0.685,
    cranfield: 0.38,
    cisi: 0.41,
    med: 0.68,
    cacm: 0.475,
    vaswani: 0.435,
    miracl_yo: 0.47,
    xquad_de: 0.94,
    xquad_ar: 0.94,
    xquad_zh: 0.96,
    xquad_th: 0.94,
    jsquad_ja: 0.94,
  },
  hybrid: { scifact: 0.72, cranfield: 0.43, cisi: 0.455, med: 0.79, cacm: 0.56 },
};
/** What meaning may cost where the model does not know the language. */
const tolerated = 0.01;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { collections: { type: "string", default: join("..", "shared", "relevance") } },
});
const [mode = "fulltext", ...wanted] = positionals;
const names = collectionNames(values.collections).filter(
  (name) => wanted.length === 0 || wanted.includes(name),
);
const barsOfMode = bars[mode];
if (!barsOfMode) {
  console.error(`There is no evaluation ${mode}. There are: ${Object.keys(bars).join(", ")}.`);
  process.exitCode = 2;
} else if (names.length === 0) {
  console.log(`Nothing to evaluate: ${values.collections} has no collections.`);
} else {
  await evaluate(mode, barsOfMode);
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
  await using folder = await createScratchFolder();
  const database = await createTestDatabase();
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
    for (const name of names) {
      const result = await measure(api, worker, readCollection(values.collections, name), searchMode);
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
    console.log(toText(report));
    process.exitCode = isPassed(report) ? 0 : 1;
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

/** A busy machine may be too slow for the model's time limit: what it answers late is there the next time. */
const mostTries = 20;

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
