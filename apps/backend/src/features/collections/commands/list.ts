import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { pageArguments, pageOf, pageView, readPage } from "../../../platform/commands/page.ts";
import { requireJsonCursor, writeJsonCursor } from "../../../platform/cursors/json-cursor.ts";
import { rightsIn } from "../../access/access.ts";
import { currentWorkspace } from "../../workspaces/workspaces.ts";
import { collectionId } from "../collections.ts";
import { listCollections } from "../collections-store.ts";

export default defineCommand({
  summary: "List the collections of a workspace",
  category: "Records",
  effect: "read",
  agents: "listed",
  reach: "inside",
  scopes: ["collections:read"],
  arguments: z.strictObject({ ...pageArguments }),
  lists: "collection",
  result: pageOf(
    z.object({
      id: z.string(),
      name: z.string(),
      slug: z.string(),
      fields: z.array(z.string()),
      createdAt: z.iso.datetime(),
    }),
  ),
  presentation: {
    as: "table",
    columns: [
      { field: "name", label: "Name", priority: 9 },
      { field: "slug", label: "Slug", priority: 5 },
      { field: "fields", label: "Fields", priority: 4 },
      { field: "id", label: "Id", priority: 3, as: "id" },
      { field: "createdAt", label: "Created", priority: 1, as: "time" },
    ],
    empty: "No collections to show. Create one with `svc collections create <name> --field name:text`.",
  },
  examples: [{ command: "collections list --workspace sales", note: "Sorted by slug, with field names" }],
  keywords: ["tables", "databases", "which collections"],
  failures: ["not_found", "usage"],
  async run(context, { limit, cursor }) {
    const workspace = await currentWorkspace(context);
    const { readable } = await rightsIn(context, workspace.id);
    const page = await readPage(limit, (most) =>
      listCollections(context.transaction, workspace.id, {
        readable,
        limit: most,
        after: requireJsonCursor(z.string(), cursor),
      }),
    );
    return pageView(
      page,
      (collection) => ({
        id: collectionId(collection),
        name: collection.name,
        slug: collection.slug,
        fields: collection.fields.map(({ name }) => name),
        createdAt: collection.createdAt.toISOString(),
      }),
      ({ slug }) => writeJsonCursor(slug),
    );
  },
});
