import { parseArgs } from "node:util";
import { type } from "../bench/file-caller.ts";
import { atLeast } from "../bench/report.ts";
import { askSearch } from "../evaluate/ask-search.ts";
import { type Collection, defaultCollections } from "../evaluate/collection.ts";
import type { Evaluation } from "../evaluate/evaluation.ts";
import { chooseCollections, overCollections } from "../evaluate/judged-collections.ts";
import { type Api, putDocuments } from "../evaluate/put-documents.ts";

/** English and German prose, and a script without spaces. */
const usual = ["cranfield", "med", "xquad_de", "xquad_zh"];
/** Shorter texts are shown nearly whole, wherever their match is. */
const longText = 600;
const leastOnMatch = 0.97;

/** `[name …] [--collections DIR]`: the ten best hits by words of each query, and whether their snippets mark a match. */
export default {
  summary: "the snippet of a long text shows what matched",
  async run(given) {
    const { values, positionals } = parseArgs({
      args: given,
      allowPositionals: true,
      options: { collections: { type: "string", default: defaultCollections } },
    });
    const collections = chooseCollections(values.collections, positionals.length > 0 ? positionals : usual);
    const rows = await overCollections(collections, { isEmbedded: false }, async ({ api }, collection) => {
      const { data } = await type(api, `workspaces create ${collection.name}`);
      await putDocuments(api, String(data.slug), collection);
      return measure(api, collection, data.id);
    });
    return {
      tables: [{ title: "Snippets of long texts", rows }],
      bars: rows.map((row) =>
        atLeast(`${row.collection}, snippets on a match`, row["on a match"], leastOnMatch),
      ),
    };
  },
} satisfies Evaluation;

async function measure(api: Api, { name, documents, queries }: Collection, workspaceId: unknown) {
  let snippets = 0;
  let marked = 0;
  for (const { text } of queries) {
    const question = {
      query: text,
      workspaceId,
      mode: "fulltext",
      entityTypes: ["FILE"],
      limit: 10,
      highlight: true,
    };
    for (const { title, snippet = [] } of await askSearch(api, question)) {
      if ((documents[Number.parseInt(title, 10)]?.text.length ?? 0) < longText) continue;
      snippets += 1;
      if (snippet.some(({ match }) => match)) marked += 1;
    }
  }
  return {
    collection: name,
    queries: queries.length,
    snippets,
    "on a match": marked / Math.max(1, snippets),
  };
}
