import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { requireAdministrator } from "../../../platform/commands/require-administrator.ts";
import { vainQueries } from "../../query-log/query-log.ts";

/** Queries of a single person are private. */
const leastPeople = 2;
const day = 24 * 60 * 60_000;

export default defineCommand({
  summary: "Show what people look for in vain",
  description:
    "What most people did not find comes first. What only one person looked for is not shown, nor who looked. Queries are " +
    "kept for 90 days, without the keystrokes on the way; `svc search log off` keeps yours out.",
  category: "Search",
  effect: "read",
  scopes: ["search:read"],
  arguments: z.strictObject({
    days: z.int().min(1).max(90).default(30).describe("How far to look back"),
    limit: z.int().min(1).max(200).default(20).meta({ description: "Maximum number of queries", short: "n" }),
  }),
  result: z.object({
    items: z.array(
      z.object({
        query: z.string(),
        people: z.int(),
        times: z.int(),
        /** People who did find something with it: what the others look for may be there, and not shared with them. */
        foundBy: z.int(),
        lastAt: z.iso.datetime(),
      }),
    ),
  }),
  presentation: {
    as: "table",
    columns: [
      { field: "query", label: "Looked for", priority: 9 },
      { field: "people", label: "People", align: "right", priority: 8 },
      { field: "times", label: "Times", align: "right", priority: 7 },
      { field: "foundBy", label: "Found by", align: "right", priority: 5 },
      { field: "lastAt", label: "Last", priority: 4 },
    ],
    empty: "Nothing that two people or more looked for in vain.",
  },
  examples: [{ command: "search insights --days 7", note: "Of the last week" }],
  failures: [],
  async run(context, { days, limit }) {
    requireAdministrator(context);
    const since = new Date(context.now.getTime() - days * day);
    const rows = await vainQueries(context.transaction, { since, leastPeople, limit });
    return { items: rows.map((row) => ({ ...row, lastAt: row.lastAt.toISOString() })) };
  },
});
