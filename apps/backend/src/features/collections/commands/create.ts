import { ProblemError } from "@svc/protocol/problem";
import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { isAtLeast, rightsIn } from "../../access/access.ts";
import { currentWorkspace, toSlug } from "../../workspaces/workspaces.ts";
import { CollectionName, CollectionView, collectionView, fieldText } from "../collection-view.ts";
import { collectionChanged } from "../collections.ts";
import { insertCollection } from "../collections-store.ts";
import { addFields, Complaints, chooseTitle } from "../define-fields.ts";
import { CollectionUndo, creationUndo, undoCollection } from "../undo-collection.ts";

export default defineCommand({
  summary: "Create a collection of records with typed fields",
  description:
    "A field is name:type; the types are text, number, date, boolean, choice, link and person. " +
    "`name!:text` is required, `status:choice:lead,lost` lists the choices, `account:link:companies` names a collection.",
  category: "Records",
  effect: "write",
  agents: "searchable",
  reach: "inside",
  scopes: ["collections:write"],
  arguments: z.strictObject({
    name: CollectionName.describe("Display name"),
    field: z
      .array(z.string().min(1).max(20_000))
      .min(1)
      .max(100)
      .describe("A field, as name:type; repeat for more, in order"),
    title: z
      .string()
      .max(100)
      .optional()
      .describe("Text field to use as the title of its records; by default the first"),
  }),
  positionals: ["name"],
  result: CollectionView,
  presentation: { as: "text", text: ({ name, slug, id }) => `Created collection ${name} (${slug}, ${id})` },
  examples: [
    {
      command:
        "collections create Customers --field name!:text --field revenue:number --field status:choice:lead,lost",
      note: "The name is required and becomes the title",
    },
  ],
  keywords: ["table", "schema", "new table", "database", "define fields", "keep rows", "new list", "track"],
  failures: ["not_found", "conflict", "usage"],
  async run(context, { name, field, title }) {
    const workspace = await currentWorkspace(context);
    const rights = await rightsIn(context, workspace.id);
    if (!isAtLeast(rights.roleIn(workspace.id), "editor")) {
      throw new ProblemError("not_permitted", `Only an editor of \`${workspace.name}\` can do this.`, {
        hint: `Run \`svc members list --workspace ${workspace.slug}\` to see who can.`,
      });
    }
    const complaints = new Complaints("collections create");
    const fields = await addFields(context, workspace, [], field, { complaints, argument: "--field" });
    const titleField = chooseTitle(fields, title, complaints);
    complaints.throwIfAny();
    if (titleField === undefined) throw new Error("a missing title was not complained about");

    const slug = toSlug(name);
    const made = { workspaceId: workspace.id, name, slug, fields, titleField };
    const row = await insertCollection(context.transaction, made);
    if (!row) {
      throw new ProblemError("conflict", `A collection with the slug \`${slug}\` already exists.`, {
        hint: "Choose another name.",
        next: { command: "collections describe", arguments: { target: slug } },
      });
    }
    await collectionChanged(context, "CREATED", { id: row.id, workspaceId: workspace.id });
    const after = { slug, fields: fields.map(fieldText) };
    context.recordChange({ action: "create", type: "collection", name, after });
    const collection = { ...made, ...row, scopeId: workspace.id, trashedAt: null };
    context.recordMade("collection", row.id, workspace.id);
    context.recordUndo(creationUndo(collection));
    return collectionView(context, { collection, rights });
  },
  undo: { payload: CollectionUndo, run: undoCollection("editor") },
});
