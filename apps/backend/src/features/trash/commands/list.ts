import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { notCursor, pageArguments, pageOf, pageView, readPage } from "../../../platform/commands/page.ts";
import { nodeId, trashedNodes } from "../../files/files.ts";

export default defineCommand({
  summary: "List deleted files and folders that can be restored, newest first",
  category: "Files",
  effect: "read",
  agents: "searchable",
  reach: "inside",
  scopes: ["files:read"],
  arguments: z.strictObject({
    ...pageArguments,
    cursor: z
      .string()
      .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z [0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, notCursor)
      .optional()
      .describe("Where to continue, from `nextCursor` of the previous page"),
  }),
  lists: "trashed",
  result: pageOf(
    z.object({
      id: z.string(),
      kind: z.string(),
      name: z.string(),
      size: z.int().optional(),
      trashedAt: z.iso.datetime(),
    }),
  ),
  presentation: {
    as: "table",
    columns: [
      { field: "name", label: "Name", priority: 9 },
      { field: "kind", label: "Kind", priority: 5 },
      { field: "size", label: "Size", align: "right", priority: 4, as: "bytes" },
      { field: "trashedAt", label: "Deleted", priority: 7, as: "time" },
      { field: "id", label: "Id", priority: 8 },
    ],
    empty: "The trash is empty.",
  },
  examples: [{ command: "trash list --workspace marketing", note: "Restore one with `files restore`" }],
  keywords: [
    "deleted files",
    "recycle bin",
    "what was deleted",
    "thrown away",
    "recently deleted",
    "what did i delete",
  ],
  failures: ["not_found", "usage"],
  async run(context, { limit, cursor }) {
    const page = await readPage(limit, (most) =>
      trashedNodes(context, {
        limit: most,
        cursor,
      }),
    );
    const toItem = (node: (typeof page.rows)[number]) => ({
      id: nodeId(node),
      kind: node.kind,
      name: node.name,
      ...(node.size === null ? {} : { size: node.size }),
      trashedAt: node.trashedAt.toISOString(),
    });
    return pageView(page, toItem, (node) => `${node.trashedAt.toISOString()} ${node.id}`);
  },
});
