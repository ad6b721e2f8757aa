import { join } from "node:path";
import { parseArgs } from "node:util";
import { createTestDatabase } from "@svc/testing/test-database";
import { benchSize } from "../bench/bench-size.ts";
import { type } from "../bench/file-caller.ts";
import { HttpClient } from "../bench/http-client.ts";
import { startApi } from "../bench/processes/api-process.ts";
import { atLeast, type Report } from "../bench/report.ts";
import { seedSampleTenant } from "../bench/scale-data/sample-tenant.ts";
import { createScratchFolder } from "../bench/scratch-folder.ts";
import { askSearch } from "../evaluate/ask-search.ts";
import { type Collection, defaultCollections, readCollection } from "../evaluate/collection.ts";
import type { Evaluation } from "../evaluate/evaluation.ts";
import { germanCollection } from "../evaluate/german-collection.ts";
import { type InflectedWord, inflectedWords } from "../evaluate/inflected-words.ts";
import { type Api, putDocuments } from "../evaluate/put-documents.ts";

const shown = 100;
const missesShown = 20;

/** `[--collections DIR]`: one-word queries in German, each another form of a word of its document. */
export default {
  summary: "a word finds the documents that have another form of it, in German too",
  async run(given) {
    const { values } = parseArgs({
      args: given,
      options: { collections: { type: "string", default: defaultCollections } },
    });
    const collection = benchSize(() => readCollection(values.collections, "xquad_de"), germanCollection)();
    await using folder = await createScratchFolder();
    const database = await createTestDatabase({ isLikeProduction: true });
    try {
      const token = seedSampleTenant(database.adminUrl, join(folder.path, "token"));
      await using server = await startApi({
        databaseUrl: database.appUrl,
        folder: folder.path,
        embedders: [],
      });
      using client = new HttpClient();
      return await measure({ client, url: server.url, token }, collection);
    } finally {
      await database.drop();
    }
  },
} satisfies Evaluation;

async function measure(api: Api, collection: Collection): Promise<Report> {
  const { data } = await type(api, `workspaces create ${collection.name}`);
  await putDocuments(api, String(data.slug), collection);
  const queries = inflectedWords(collection, "de");
  const missed: InflectedWord[] = [];
  for (const query of queries) {
    if (!(await finds(api, collection, query, data.id))) missed.push(query);
  }
  const found = (queries.length - missed.length) / queries.length;
  return {
    tables: [
      { title: "One word, inflected", rows: [{ language: "German", queries: queries.length, found }] },
    ],
    notes:
      missed.length === 0
        ? []
        : [
            `missed: ${missed
              .slice(0, missesShown)
              .map(({ word }) => word)
              .join(", ")}`,
          ],
    bars: [atLeast("German, one word, share that finds its document", found, 0.95)],
  };
}

async function finds(
  api: Api,
  { documents }: Collection,
  { word, documentId }: InflectedWord,
  workspaceId: unknown,
): Promise<boolean> {
  const hits = await askSearch(api, { query: word, workspaceId, mode: "fulltext", limit: shown });
  return hits.some(({ title }) => documents[Number.parseInt(title, 10)]?.id === documentId);
}
