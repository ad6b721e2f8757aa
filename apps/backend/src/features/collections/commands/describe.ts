import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { CollectionView, collectionView } from "../collection-view.ts";
import { CollectionTarget, locateCollection } from "../collections.ts";
import { countRecords } from "../collections-store.ts";

const Description = CollectionView.extend({ records: z.int() });

export default defineCommand({
  summary: "Show the fields of a collection",
  category: "Records",
  effect: "read",
  agents: "searchable",
  reach: "inside",
  scopes: ["collections:read"],
  arguments: z.strictObject({ target: CollectionTarget }),
  positionals: ["target"],
  shows: "collection",
  result: Description,
  presentation: { as: "text", text: describe },
  examples: [{ command: "collections describe customers", note: "Shows what `records create` takes" }],
  keywords: ["schema", "columns", "fields", "structure"],
  failures: ["not_found", "usage"],
  async run(context, { target }) {
    const place = await locateCollection(context, target);
    return {
      ...(await collectionView(context, place)),
      records: await countRecords(context.transaction, place.collection.id),
    };
  },
});

function describe({ name, slug, id, title, fields, records }: z.output<typeof Description>): string {
  return [
    `${name} (${slug}, ${id}), ${records} records`,
    ...fields.map(({ name: field, type, required, choices, target }) => {
      const details = [
        ...(choices ? [choices.join(", ")] : []),
        ...(target ? [`to ${target.name ?? target.id}`] : []),
        ...(required ? ["required"] : []),
        ...(field === title ? ["title"] : []),
      ];
      return `  ${field}: ${type}${details.length > 0 ? ` (${details.join("; ")})` : ""}`;
    }),
  ].join("\n");
}
