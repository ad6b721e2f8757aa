import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { CollectionTarget, locateCollection } from "../../collections/collections.ts";
import { exportRecords } from "../export-records.ts";
import { formats } from "../read-drafts.ts";
import { queryArguments, readQuery } from "../record-query.ts";

export default defineCommand({
  summary: "Print the records of a collection as CSV or JSON lines",
  description:
    "`records import` reads the output back to the same values. In CSV, a text that a spreadsheet would take for a formula " +
    "begins with one more `'`, which the import takes off.",
  category: "Records",
  effect: "read",
  agents: "searchable",
  reach: "inside",
  scopes: ["records:read"],
  arguments: z.strictObject({
    collection: CollectionTarget,
    as: z.enum(formats).default("csv").describe("Format"),
    ...queryArguments,
  }),
  positionals: ["collection"],
  result: z.object({ collection: z.string(), count: z.int(), content: z.string() }),
  presentation: { as: "text", text: ({ content }) => content.replace(/\n$/, "") },
  examples: [
    { command: "records export customers --filter status=active", note: "Save it with > customers.csv" },
    { command: "records export customers --as jsonl", note: "A JSON object on each line" },
  ],
  keywords: ["csv", "jsonl", "dump", "spreadsheet", "all rows"],
  failures: ["not_found", "conflict", "usage", "too_large"],
  async run(context, { collection: target, as: format, filter, sort }) {
    const place = await locateCollection(context, target);
    const query = await readQuery(context, "records export", place, { filter, sort });
    return { collection: place.collection.name, ...(await exportRecords(context, place, query, format)) };
  },
});
