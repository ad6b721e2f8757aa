import { ProblemError } from "@svc/protocol/problem";
import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { toSlug } from "../../workspaces/workspaces.ts";
import { alterFields } from "../alter-fields.ts";
import { CollectionName, CollectionView, collectionView, shownCollection } from "../collection-view.ts";
import {
  CollectionTarget,
  changeCollection,
  collectionChange,
  keepCollection,
  locateCollection,
  requireCollectionRole,
} from "../collections.ts";
import { Complaints } from "../define-fields.ts";
import { CollectionUndo, changeUndo, undoCollection } from "../undo-collection.ts";

const many = (description: string) =>
  z.array(z.string().min(1).max(20_000)).max(100).default([]).describe(description);

export default defineCommand({
  summary: "Change the name or the fields of a collection",
  description: "Values of a removed field are kept, and undo restores them.",
  category: "Records",
  effect: "write",
  agents: "searchable",
  reach: "inside",
  scopes: ["collections:write"],
  arguments: z.strictObject({
    target: CollectionTarget,
    add: many("A new field, as name:type"),
    rename: many("A field's new name, as old=new"),
    remove: many("Name of a field to remove"),
    choices: many("New choices for a field, as status=lead,active,lost"),
    title: z.string().max(100).optional().describe("Text field to use as the title of its records"),
    name: CollectionName.optional().describe("New name of the collection; its slug follows"),
  }),
  positionals: ["target"],
  result: CollectionView,
  presentation: {
    as: "text",
    text: ({ name, fields }) => `Altered ${name}: ${fields.map((field) => field.name).join(", ")}`,
  },
  examples: [
    {
      command: "collections alter customers --add since:date --rename revenue=turnover",
      note: "Values follow a renamed field",
    },
    { command: "collections alter customers --remove status --dry-run", note: "Shows what would change" },
  ],
  keywords: ["add field", "change schema", "add column", "rename field", "edit table"],
  failures: ["not_found", "conflict", "usage"],
  async run(context, { target, name, ...alterations }) {
    const place = await locateCollection(context, target);
    requireCollectionRole(place, "owner");
    const { collection } = place;
    // Locked first, so that no record changes while its values are being checked.
    await keepCollection(context, collection, { alone: true });
    const complaints = new Complaints("collections alter");
    const next = {
      ...(await alterFields(context, place, alterations, complaints)),
      name: name ?? collection.name,
      slug: name === undefined ? collection.slug : toSlug(name),
    };
    complaints.throwIfAny();
    const [before, after] = [shownCollection(collection), shownCollection({ ...collection, ...next })];
    if (JSON.stringify(before) === JSON.stringify(after)) {
      throw new ProblemError("usage", "No changes to apply.", {
        hint: "Run `svc collections alter --help` to see what can be changed.",
      });
    }
    await changeCollection(context, collection, next);
    context.recordChange(collectionChange("update", collection, { before, after }));
    const altered = { ...collection, ...next, version: collection.version + 1 };
    context.recordUndo(changeUndo(collection, altered));
    return collectionView(context, { ...place, collection: altered });
  },
  undo: { payload: CollectionUndo, run: undoCollection("owner") },
});
