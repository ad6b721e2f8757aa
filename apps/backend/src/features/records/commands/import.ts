import { localFile } from "@svc/command-router/arguments/local-file";
import { ProblemError } from "@svc/protocol/problem";
import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import {
  CollectionTarget,
  collectionId,
  keepCollection,
  locateCollection,
  requireCollectionRole,
} from "../../collections/collections.ts";
import { importRecords } from "../import-records.ts";
import { type Format, formats } from "../read-drafts.ts";
import { titleLine } from "../record-view.ts";
import { ImportUndo, undoImport } from "../undo-import.ts";

export default defineCommand({
  summary: "Import records from a CSV or JSON lines file",
  description:
    "The first line of a CSV names the fields; `body` is the long text. All rows are imported or none; " +
    "--dry-run shows the first rows, or every mistake with its line.",
  category: "Records",
  effect: "write",
  agents: "searchable",
  reach: "inside",
  scopes: ["records:write"],
  arguments: z.strictObject({
    collection: CollectionTarget,
    source: localFile("File on your machine, in UTF-8"),
    formatOf: z.enum(formats).optional().describe("Format of the file, if its name does not show it"),
  }),
  positionals: ["collection", "source"],
  result: z.object({
    collection: z.string(),
    count: z.int(),
    first: z.array(z.object({ title: z.string(), fields: z.record(z.string(), z.unknown()) })),
  }),
  presentation: {
    as: "text",
    text: ({ collection, count, first }) =>
      [
        `Imported ${count} records into ${collection}`,
        ...first.map((record) => `  ${titleLine(record, "(without a title)")}`),
        ...(count > first.length ? [`  and ${count - first.length} more`] : []),
      ].join("\n"),
  },
  examples: [
    {
      command: "records import customers ./customers.csv --dry-run",
      note: "Shows the first rows, or every mistake",
    },
    { command: "records import customers ./customers.jsonl", note: "A JSON object on each line" },
  ],
  keywords: ["csv", "load", "bulk insert", "upload rows"],
  failures: ["not_found", "conflict", "usage", "too_large"],
  async beforeUpload(context, { collection: target, source, formatOf }) {
    if (formatOf === undefined) formatByName(source);
    requireCollectionRole(await locateCollection(context, target), "editor");
  },
  async run(context, { collection: target, source, formatOf }) {
    const file = context.uploads.get(source);
    if (!file) throw new ProblemError("usage", `\`${source}\` was not sent.`);
    const format = formatOf ?? formatByName(source);
    const place = await locateCollection(context, target);
    requireCollectionRole(place, "editor");
    const { collection } = place;
    await keepCollection(context, collection);
    const { importId, count, first } = await importRecords(context, place, file, format);
    if (count === 0) throw new ProblemError("usage", `\`${source}\` has no rows.`);
    // One change for all of them; the digest binds a preview token to this exact content.
    context.recordChange({
      action: "create",
      type: "records",
      name: collection.name,
      version: collection.version,
      after: { collection: collectionId(collection), count, sha256: file.sha256, first },
    });
    context.recordUndo({ importId, collectionId: collection.id });
    return { collection: collection.name, count, first };
  },
  undo: { payload: ImportUndo, run: undoImport },
});

function formatByName(name: string): Format {
  if (/\.csv$/i.test(name)) return "csv";
  if (/\.(jsonl|ndjson)$/i.test(name)) return "jsonl";
  throw new ProblemError("usage", `Cannot tell the format of \`${name}\`.`, {
    hint: "Add --format-of csv or --format-of jsonl.",
  });
}
