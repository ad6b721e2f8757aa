import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { suggest } from "../suggesting/suggest.ts";
import { Suggestion } from "../suggesting/suggestion.ts";

const longestTyped = 200;
const mostOfKind = 10;

export default defineCommand({
  summary: "Suggest what to search for or open while somebody types",
  description:
    "Names of what you can see, people you know, workspaces, your recent queries, and queries of at least five people " +
    "with which you find something. No model is called. `svc search log off` deletes your queries and keeps no more.",
  category: "Search",
  effect: "read",
  agents: "searchable",
  reach: "inside",
  scopes: ["search:read"],
  arguments: z.strictObject({
    typed: z.string().max(longestTyped).optional().describe("What was typed so far"),
    limit: z
      .int()
      .min(1)
      .max(mostOfKind)
      .default(5)
      .meta({ description: "Maximum number of each kind", short: "n" }),
  }),
  positionals: ["typed"],
  result: z.object({ items: z.array(Suggestion) }),
  presentation: {
    as: "table",
    columns: [
      { field: "text", label: "Suggestion", priority: 9 },
      { field: "kind", label: "Kind", priority: 8 },
      { field: "query", label: "Search for", priority: 6 },
      { field: "address", label: "Open", priority: 7 },
    ],
    empty: "No suggestions.",
  },
  examples: [{ command: "search suggest inv", note: "What begins with it" }],
  keywords: ["autocomplete", "typeahead", "completions", "as you type"],
  failures: [],
  routes: [
    {
      path: "/api/v1/search/suggest",
      method: "get",
      body: z
        .strictObject({ q: z.string().max(longestTyped).optional().describe("What was typed so far") })
        .transform(({ q }) => ({ typed: q })),
      answer: ({ items }) => ({ suggestions: items }),
      answerSchema: z.object({ suggestions: z.array(Suggestion) }),
    },
  ],
  async run(context, { typed = "", limit }) {
    return { items: await suggest(context, typed, limit) };
  },
});
