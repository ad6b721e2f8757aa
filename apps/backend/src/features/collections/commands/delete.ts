import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import {
  CollectionTarget,
  changeCollection,
  collectionChange,
  collectionId,
  locateCollection,
  requireCollectionRole,
} from "../collections.ts";
import { countRecords } from "../collections-store.ts";
import { CollectionUndo, changeUndo, undoCollection } from "../undo-collection.ts";

export default defineCommand({
  summary: "Move a collection and its records to the trash",
  description: "To get it back with its records, use `undo`.",
  category: "Records",
  effect: "write",
  agents: "searchable",
  reach: "inside",
  scopes: ["collections:write"],
  arguments: z.strictObject({ target: CollectionTarget }),
  positionals: ["target"],
  result: z.object({ id: z.string(), name: z.string(), records: z.int() }),
  presentation: {
    as: "text",
    text: ({ name, records }) => `Moved collection ${name} with ${records} records to the trash`,
  },
  examples: [{ command: "collections delete customers --dry-run", note: "Shows what would change" }],
  keywords: ["drop table", "remove table"],
  failures: ["not_found", "conflict", "usage"],
  async run(context, { target }) {
    const place = await locateCollection(context, target);
    // guard: deleting-collections-needs-owner
    requireCollectionRole(place, "owner");
    const { collection } = place;
    await changeCollection(context, collection, { trashedAt: context.now });
    const records = await countRecords(context.transaction, collection.id);
    context.recordChange(collectionChange("delete", collection, { before: { records } }));
    const deleted = { ...collection, trashedAt: context.now, version: collection.version + 1 };
    context.recordUndo(changeUndo(collection, deleted));
    return { id: collectionId(collection), name: collection.name, records };
  },
  undo: { payload: CollectionUndo, run: undoCollection("owner") },
});
