import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { pageArguments, pageOf, pageView, readPage } from "../../../platform/commands/page.ts";
import { visibleWorkspaces, WorkspaceView, workspaceCursor, workspaceView } from "../workspaces.ts";

export default defineCommand({
  summary: "List workspaces",
  category: "Workspaces",
  effect: "read",
  agents: "listed",
  reach: "inside",
  scopes: ["workspaces:read"],
  arguments: z.strictObject({ ...pageArguments }),
  lists: "workspace",
  result: pageOf(WorkspaceView),
  presentation: {
    as: "table",
    columns: [
      { field: "name", label: "Name", priority: 9 },
      { field: "slug", label: "Slug", priority: 5 },
      { field: "role", label: "Role", priority: 4 },
      { field: "id", label: "Id", priority: 3, as: "id" },
      { field: "createdAt", label: "Created", priority: 1, as: "time" },
    ],
    columnsOf: ({ items }) => [
      { field: "name", label: "Name", priority: 9 },
      ...(items.every(({ name, slug }) => name.toLowerCase() === slug)
        ? []
        : [{ field: "slug", label: "Slug", priority: 8 }]),
      { field: "role", label: "Role", priority: 4 },
      { field: "createdAt", label: "Created", priority: 1, as: "time" },
      { field: "id", label: "Id", priority: 3, as: "id" },
    ],
    empty: "You are not in any workspace yet. Create one with `svc workspaces create <name>`.",
  },
  examples: [{ command: "workspaces list", note: "All workspaces you can see, sorted by slug" }],
  keywords: ["projects", "spaces", "which workspaces"],
  failures: [],
  async run(context, { limit, cursor }) {
    const page = await readPage(limit, (most) => visibleWorkspaces(context, { limit: most, cursor }));
    return pageView(page, (row) => workspaceView(row, context.actor), workspaceCursor);
  },
});
