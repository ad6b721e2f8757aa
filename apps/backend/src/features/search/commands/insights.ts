import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { requireAdministrator } from "../../../platform/commands/require-administrator.ts";
import { vainQueries } from "../../query-log/query-log.ts";

/** Queries of a single person are private. */
const leastPeople = 2;
const day = 24 * 60 * 60_000;

export default defineCommand({
  summary: "Show queries that found nothing",
  description:
    "Lists the queries of most people first. Queries of a single person are not shown, nor who searched. Queries are " +
    "kept for 90 days, without partial input. `svc search log off` excludes yours.",
  category: "Search",
  effect: "read",
  agents: "searchable",
  reach: "inside",
  scopes: ["search:read"],
  arguments: z.strictObject({
    days: z.int().min(1).max(90).default(30).describe("Number of days to look back"),
    limit: z.int().min(1).max(200).default(20).meta({ description: "Maximum number of queries", short: "n" }),
  }),
  result: z.object({
    items: z.array(
      z.object({
        query: z.string(),
        people: z.int(),
        times: z.int(),
        /** People who did find something with it: the others may lack access to what they look for. */
        foundBy: z.int(),
        lastAt: z.iso.datetime(),
      }),
    ),
  }),
  presentation: {
    as: "table",
    columns: [
      { field: "query", label: "Looked for", priority: 9 },
      { field: "people", label: "People", align: "right", priority: 8, as: "count" },
      { field: "times", label: "Times", align: "right", priority: 7, as: "count" },
      { field: "foundBy", label: "Found by", align: "right", priority: 5, as: "count" },
      { field: "lastAt", label: "Last", priority: 4, as: "time" },
    ],
    empty: "No failed queries of two people or more.",
  },
  examples: [{ command: "search insights --days 7", note: "The last week" }],
  keywords: ["zero results", "found nothing", "popular queries", "gaps"],
  failures: [],
  async run(context, { days, limit }) {
    requireAdministrator(context);
    const since = new Date(context.now.getTime() - days * day);
    const rows = await vainQueries(context.transaction, { since, leastPeople, limit });
    return { items: rows.map((row) => ({ ...row, lastAt: row.lastAt.toISOString() })) };
  },
});
