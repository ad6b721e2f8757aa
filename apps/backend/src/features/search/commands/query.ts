import { usageError } from "@svc/command-router/arguments/usage-error";
import { timeZoneNamed } from "@svc/rendering/shown-time";
import { entityTypes } from "@svc/search/index/documents";
import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { Moment } from "../../../platform/commands/moment.ts";
import { SearchMode, sortOrders } from "../finding/parse/question.ts";
import { briefHits } from "../finding/show/brief-hits.ts";
import { hitsText } from "../finding/show/hits-text.ts";
import { SearchResult } from "../finding/show/search-view.ts";
import { showAddresses } from "../finding/show/show-addresses.ts";
import { narrowedWorkspace } from "../finding/visibility/narrowed-workspace.ts";
import { search } from "../search.ts";

const longestQuery = 200_000;

const order = {
  sort: z.enum(sortOrders).default("relevance").describe("Order of the hits"),
  facets: z.boolean().default(false).describe("Count the hits by type, workspace, owner and year"),
  timeZone: z
    .string()
    .max(64)
    .refine((name) => timeZoneNamed(name) !== undefined, {
      error: "must be a time zone such as Europe/Berlin",
    })
    .optional()
    .describe("Where days begin, such as Europe/Berlin; yours unless told"),
};

const filters = {
  mediaType: z.string().max(200).optional().describe("Only files of this media type"),
  owner: z.string().max(100).optional().describe("Only items created by this person, by id"),
  updatedAfter: Moment.optional().describe("Only items changed after this day or time"),
};

const scope = {
  typing: z.boolean().default(false).describe("The last word is unfinished: finds what begins with it"),
  workspaceId: z.string().max(200).optional().describe("Only in this workspace, by id, slug or name"),
  folderId: z.string().max(100).optional().describe("Only in this folder and below, by id"),
  entityTypes: z.array(z.enum(entityTypes)).max(4).default([]).describe("Only hits of this kind"),
  mode: SearchMode,
  limit: z.int().min(1).max(100).default(20).meta({ description: "Maximum number of hits", short: "n" }),
  cursor: z.string().max(5_000).optional().describe("Where to continue, from the previous page"),
  explain: z.boolean().default(false).describe("Explain the rank of each hit"),
  correct: z.boolean().default(true).describe("Search for similar words if nothing has a word"),
};

const mostPassages = 5;

const shown = {
  highlight: z.boolean().default(true).describe("Show the matching text"),
  passages: z.int().min(0).max(mostPassages).default(0).describe("Passages of each hit, with their offsets"),
  maxTokens: z
    .int()
    .min(1)
    .max(1_000_000)
    .optional()
    .describe("Only as many whole hits as fit into so many tokens as JSON, counted generously"),
};

export default defineCommand({
  summary: "Find files, folders, records and workspaces",
  description:
    'Hits with all words come first. Operators: "a phrase", -without, one OR other, begin*, title:budget, path:2026, ext:docx, ' +
    "type:spreadsheet, owner:me, after:2026-03, before:7d, in:/reports, in:marketing, in:marketing:/reports; with a minus they exclude. " +
    "Different operators narrow; values of the same one are alternatives, except that a place within another narrows. " +
    "Searches everywhere, unless you name a workspace. Only what you have access to is searched, counted and suggested.",
  category: "Search",
  isDefault: true,
  effect: "read",
  agents: "listed",
  reach: "inside",
  scopes: ["search:read"],
  arguments: z.strictObject({
    query: z.array(z.string().max(longestQuery)).min(1).describe("Words to search for"),
    searchContent: z.boolean().default(true).describe("Search texts and records, not only names"),
    ...scope,
    ...order,
    ...filters,
    ...shown,
  }),
  positionals: ["query"],
  result: SearchResult,
  brief: briefHits,
  presentation: {
    as: "table",
    columns: [
      { field: "title", label: "Name", priority: 9 },
      { field: "entityType", label: "Kind", priority: 6 },
      { field: "path", label: "Path", priority: 7 },
      { field: "updatedAt", label: "Changed", priority: 4, as: "time" },
      { field: "id", label: "Id", priority: 5, as: "id" },
    ],
    empty: "Nothing found.",
    text: hitsText,
  },
  examples: [
    {
      command: "search query invoice march",
      note: "In names and texts",
    },
    {
      command: 'search query "in:/reports type:pdf revenue -draft"',
      note: "Quotes keep a leading dash from being a flag",
    },
    {
      command: "search query owner:me type:spreadsheet after:30d --sort updated --facets",
      note: "Newest first, with counts",
    },
  ],
  keywords: ["look for", "full text", "semantic", "find text", "which document", "where is", "mentions"],
  failures: [],
  routes: [
    {
      path: "/api/v1/search",
      body: z
        .strictObject({
          query: z.string().max(longestQuery),
          searchContent: z.boolean().default(false),
          ...scope,
          workspace: scope.workspaceId,
          ...order,
          filters: z.strictObject(filters).default({}),
          ...shown,
        })
        .transform(({ query, filters: given, workspace, workspaceId = workspace, ...rest }) => ({
          query: [query],
          workspaceId,
          ...rest,
          ...given,
        })),
      answer: ({ items, ...rest }) => ({ hits: items, ...rest }),
      answerSchema: SearchResult.omit({ items: true }).extend({ hits: SearchResult.shape.items }),
    },
  ],
  async run(context, args) {
    const workspaceId = await narrowedWorkspace(context, args.workspaceId);
    const timeZone = args.timeZone ?? context.timeZone;
    if (args.mode === "semantic" && args.sort !== "relevance") throw noOtherOrder();
    const found = await search(context, { ...args, query: args.query.join(" "), workspaceId, timeZone });
    return showAddresses(context, found);
  },
});

function noOtherOrder(): Error {
  return usageError({ path: "search query" }, [
    { argument: "--sort", message: "works with words; by meaning alone, hits are sorted by relevance" },
  ]);
}
