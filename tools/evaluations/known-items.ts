import { parseArgs } from "node:util";
import { bringLocalModel } from "@svc/testing/embedding-models";
import { createTestDatabase } from "@svc/testing/test-database";
import { benchSize } from "../bench/bench-size.ts";
import { type } from "../bench/file-caller.ts";
import { HttpClient } from "../bench/http-client.ts";
import { startApi } from "../bench/processes/api-process.ts";
import { atLeast, type Report } from "../bench/report.ts";
import { createScratchFolder } from "../bench/scratch-folder.ts";
import { embedWaiting } from "../evaluate/embed-waiting.ts";
import type { Evaluation } from "../evaluate/evaluation.ts";
import { type AskedItem, askItems } from "../evaluate/known-items/ask-items.ts";
import { writeDrawnItems } from "../evaluate/known-items/draw-items.ts";
import { putSearchedFiles, seedCompany } from "../evaluate/known-items/fill-known-items.ts";
import { knownItems } from "../evaluate/known-items/known-items.ts";
import { mean } from "../evaluate/measures.ts";

const worstShown = 10;

/**
 * Queries of people who know what they want, over the sample company and the documentation of the installed packages.
 * Half were drawn by a seeded script, half were written by hand, before the search that they judge was changed: both
 * lists are frozen. `--words` and smoke leave meaning out; `--draw` only draws the first half anew, which makes figures
 * incomparable.
 */
export default {
  summary: "people who know what they want find it on top, by words, and no later with meaning",
  async run(given) {
    const { values } = parseArgs({
      args: given,
      options: { words: { type: "boolean" }, draw: { type: "boolean" } },
    });
    if (values.draw) writeDrawnItems();
    // Embedding the real files takes minutes.
    const isByWords = values.words || benchSize(false, true);
    if (!isByWords) await bringLocalModel();
    await using folder = await createScratchFolder();
    const database = await createTestDatabase({ isLikeProduction: true });
    try {
      const token = seedCompany(database, folder.path);
      await using server = await startApi({
        databaseUrl: database.appUrl,
        folder: folder.path,
        embedders: isByWords ? [] : [{ kind: "local" }],
      });
      using client = new HttpClient();
      const api = { client, url: server.url, token };
      await putSearchedFiles(api);
      const items = knownItems();
      const byWords = await askItems(api, items, "fulltext");
      if (isByWords) return reportOf(byWords);
      for (const workspace of ["engineering", "marketing", "営業", "library"]) {
        await type(api, `workspaces update ${workspace} --semantic-search on`);
      }
      await embedWaiting(api, { databaseUrl: database.workerUrl, folder: folder.path });
      return reportOf(byWords, await askItems(api, items, "auto"));
    } finally {
      await database.drop();
    }
  },
} satisfies Evaluation;

function reportOf(byWords: readonly AskedItem[], withMeaning?: readonly AskedItem[]): Report {
  const rowOf = (what: string, isOfIt: (item: AskedItem) => boolean) => {
    const some = byWords.filter(isOfIt);
    return {
      remembered: what,
      queries: some.length,
      "MRR by words": reciprocalRank(some),
      ...(withMeaning ? { "with meaning": reciprocalRank(withMeaning.filter(isOfIt)) } : {}),
      first: some.filter(({ rank }) => rank === 1).length,
      "in the first 3": some.filter(({ rank = 99 }) => rank <= 3).length,
      "not on the page": some.filter(({ rank }) => rank === undefined).length,
    };
  };
  const kinds = [...new Set(byWords.map(({ remembered }) => remembered))];
  const languages = [...new Set(byWords.map(({ language }) => language))];
  const words = reciprocalRank(byWords);
  return {
    tables: [
      {
        title: "Known items",
        rows: [
          ...kinds.map((kind) => rowOf(kind, ({ remembered }) => remembered === kind)),
          ...languages.map((code) => rowOf(`in ${code}`, ({ language }) => language === code)),
          ...["drawn", "written"].map((origin) => rowOf(origin, (item) => item.origin === origin)),
          rowOf("all", () => true),
        ],
      },
      worstOf("by words", byWords),
      ...(withMeaning ? [worstOf("with meaning", withMeaning)] : []),
    ],
    bars: [
      atLeast("MRR by words", words, 0.8),
      ...(withMeaning ? [atLeast("MRR with meaning", reciprocalRank(withMeaning), words)] : []),
    ],
  };
}

function worstOf(how: string, asked: readonly AskedItem[]) {
  return {
    title: `The ${worstShown} worst, ${how} (0: not on the page)`,
    rows: asked
      .toSorted((left, right) => (right.rank ?? Number.MAX_VALUE) - (left.rank ?? Number.MAX_VALUE))
      .slice(0, worstShown)
      .map(({ query, rank, wanted: [wanted = ""], first }) => ({
        query,
        rank: rank ?? 0,
        wanted,
        "found first": first,
      })),
  };
}

function reciprocalRank(asked: readonly AskedItem[]): number {
  return mean(asked.map(({ rank }) => (rank === undefined ? 0 : 1 / rank)));
}
