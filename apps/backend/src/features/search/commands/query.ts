import { entityTypes } from "@svc/search/index/documents";
import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { Moment } from "../../../platform/commands/moment.ts";
import { SearchMode } from "../finding/parse/question.ts";
import { hitsText, SearchResult } from "../finding/show/search-view.ts";
import { showAddresses } from "../finding/show/show-addresses.ts";
import { search } from "../search.ts";

const longestQuery = 200_000;

const filters = {
  mediaType: z.string().max(200).optional().describe("Only files of this media type"),
  owner: z.string().max(100).optional().describe("Only items created by this person, by id"),
  updatedAfter: Moment.optional().describe("Only items changed after this day or time"),
};

const scope = {
  typing: z.boolean().default(false).describe("The last word is unfinished: finds what begins with it"),
  workspaceId: z.string().max(100).optional().describe("Only in this workspace, by id"),
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
};

export default defineCommand({
  summary: "Find files, folders, records and workspaces",
  description:
    'Hits with all words come first. Operators: "a phrase", -without, type:pdf, in:/reports, in:marketing, in:marketing:/reports. ' +
    "Only what you have access to is searched, counted and suggested.",
  category: "Search",
  isDefault: true,
  effect: "read",
  scopes: ["search:read"],
  arguments: z.strictObject({
    query: z.array(z.string().max(longestQuery)).min(1).describe("Words to search for"),
    searchContent: z.boolean().default(true).describe("Search texts and records, not only names"),
    ...scope,
    ...filters,
    ...shown,
  }),
  positionals: ["query"],
  result: SearchResult,
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
  ],
  failures: [],
  routes: [
    {
      path: "/api/v1/search",
      body: z
        .strictObject({
          query: z.string().max(longestQuery),
          searchContent: z.boolean().default(false),
          ...scope,
          filters: z.strictObject(filters).default({}),
          ...shown,
        })
        .transform(({ query, filters: given, ...rest }) => ({ query: [query], ...rest, ...given })),
      answer: ({ items, ...rest }) => ({ hits: items, ...rest }),
      answerSchema: SearchResult.omit({ items: true }).extend({ hits: SearchResult.shape.items }),
    },
  ],
  async run(context, args) {
    const found = await search(context, { ...args, query: args.query.join(" ") });
    return showAddresses(context, found);
  },
});
