import { join } from "node:path";
import { loadCatalog } from "@svc/command-router/catalog";
import { type } from "../../bench/file-caller.ts";
import { atMost } from "../../bench/report.ts";
import type { Evaluation } from "../../evaluate/evaluation.ts";
import { overCollections } from "../../evaluate/judged-collections.ts";
import { putDocuments } from "../../evaluate/put-documents.ts";
import { sampleCollection } from "../../evaluate/sample-collection.ts";
import { commandTokens, everythingTokens, helpBars, skillTokens } from "../help-tokens.ts";
import { hitTokens } from "../hit-tokens.ts";
import { toolBars, toolTokens } from "../tool-tokens.ts";

const features = join(import.meta.dirname, "../../../apps/backend/src/features");

/** Tokens by o200k: what help costs, and 20 hits of a search in texts of the sample company. */
export default {
  summary: "what an agent reads is short",
  async run() {
    const catalog = await loadCatalog(features);
    const commands = commandTokens(catalog);
    const [longest] = commands;
    const help = { everything: everythingTokens(catalog), skill: skillTokens(catalog) };
    const [counted] = await overCollections(
      [sampleCollection()],
      { isEmbedded: false },
      async ({ api }, collection) => {
        const { data } = await type(api, `workspaces create ${collection.name}`);
        await putDocuments(api, String(data.slug), collection);
        return { hits: await hitTokens(api, collection), tools: await toolTokens(api) };
      },
    );
    if (!counted || !longest) throw new Error("there is nothing to count");
    const { hits, tools } = counted;
    return {
      tables: [
        {
          title: "Help",
          rows: [
            { what: "help --json", tokens: help.everything },
            { what: "help --skill", tokens: help.skill },
            ...commands.slice(0, 5).map(({ path, tokens }) => ({ what: `${path} --help --json`, tokens })),
          ],
        },
        {
          title: "Tools",
          rows: [
            { what: `tools/list, ${tools.count} tools`, tokens: tools.list },
            { what: tools.longest.name, tokens: tools.longest.tokens },
          ],
        },
        { title: "Hits of a search, the most of all queries", rows: hits },
      ],
      bars: [
        atMost("help --json", help.everything, helpBars.everything),
        atMost(`longest --help --json (${longest.path})`, longest.tokens, helpBars.oneCommand),
        atMost("help --skill", help.skill, helpBars.skill),
        atMost("tools/list", tools.list, toolBars.list),
        atMost(`longest tool (${tools.longest.name})`, tools.longest.tokens, toolBars.one),
        ...hits.flatMap(({ what, tokens, bar }) => (bar === "" ? [] : [atMost(what, tokens, Number(bar))])),
      ],
      notes: ["Hits in tables of numbers cost most."],
    };
  },
} satisfies Evaluation;
