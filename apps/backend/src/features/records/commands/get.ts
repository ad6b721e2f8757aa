import { exactTimeIn, type View } from "@svc/rendering/view";
import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { RecordView, recordViews, titleLine, valueText } from "../record-view.ts";
import { locateRecord, RecordTarget } from "../records.ts";

const Detail = RecordView.extend({ collection: z.string(), body: z.string(), createdAt: z.iso.datetime() });

export default defineCommand({
  summary: "Show a record",
  category: "Records",
  effect: "read",
  agents: "listed",
  reach: "inside",
  scopes: ["records:read"],
  arguments: z.strictObject({ target: RecordTarget }),
  positionals: ["target"],
  shows: "record",
  result: Detail,
  presentation: { as: "text", text: show },
  examples: [{ command: "records get rec_01h455vb4pex5vsknk084sn02q", note: "With its body" }],
  keywords: ["show row", "read entry", "details", "one row"],
  failures: ["not_found"],
  async run(context, { target }) {
    const { record, ...place } = await locateRecord(context, target);
    const view = await recordViews(context, place, [record]);
    return {
      ...view(record),
      collection: place.collection.name,
      body: record.body,
      createdAt: record.createdAt.toISOString(),
    };
  },
});

function show(
  { id, title, collection, fields, body, updatedAt }: z.output<typeof Detail>,
  view: View,
): string {
  return [
    `${titleLine({ title }, id)} (${collection}, ${id})`,
    // Further lines of a value are further in: none of them passes for one of ours.
    ...Object.entries(fields).map(
      ([name, value]) => `  ${name}: ${valueText(value).replaceAll("\n", "\n    ")}`,
    ),
    `  updated: ${exactTimeIn(view, updatedAt)}`,
    ...(body === "" ? [] : ["", body]),
  ].join("\n");
}
