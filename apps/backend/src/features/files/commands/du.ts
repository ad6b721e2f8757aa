import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { pageArguments, pageOf, pageView, readPage } from "../../../platform/commands/page.ts";
import { PathCursor, readPathCursor, writePathCursor } from "../tree/path-cursor.ts";
import { showAddresses } from "../tree/show-addresses.ts";
import { FilePath, locateFolder } from "../tree/tree.ts";
import { measureFolders } from "../tree/usage-store.ts";
import { viewFrom } from "../tree/visible-children.ts";

export default defineCommand({
  summary: "Show how many files and bytes are below a folder, for each folder in it",
  description:
    "The last line is the total of the folder itself. Counts files that you can see, with their current versions only: " +
    "earlier versions and the trash do not count.",
  category: "Files",
  aliases: ["du"],
  effect: "read",
  agents: "searchable",
  reach: "inside",
  scopes: ["files:read"],
  arguments: z.strictObject({
    folder: FilePath.default("/").describe("Path or id of the folder"),
    depth: z
      .int()
      .min(0)
      .max(100)
      .default(1)
      .meta({ description: "Levels of folders with their own line; 0 for the total only", short: "d" }),
    ...pageArguments,
    cursor: PathCursor,
  }),
  positionals: ["folder"],
  result: pageOf(z.object({ path: z.string(), files: z.int(), size: z.int() })),
  presentation: {
    as: "table",
    columns: [
      { field: "path", label: "Path", priority: 9 },
      { field: "files", label: "Files", align: "right", priority: 5, as: "count" },
      { field: "size", label: "Size", align: "right", priority: 7, as: "bytes" },
    ],
    empty: "This folder is empty.",
  },
  examples: [
    { command: "files du /reports", note: "One line for each folder in /reports, then the total" },
    { command: "files du --depth 0", note: "The whole workspace" },
  ],
  keywords: [
    "size",
    "disk usage",
    "space",
    "how large",
    "storage",
    "biggest",
    "how much space",
    "takes up",
    "usage by folder",
  ],
  failures: ["not_found", "usage", "conflict"],
  async run(context, { folder, depth, limit, cursor }) {
    const place = await locateFolder(context, folder);
    const { node, workspace, path } = place;
    const view = await viewFrom(context, place);
    const page = await readPage(limit, (most) =>
      measureFolders(context.transaction, node?.id ?? workspace.id, view, {
        depth,
        after: readPathCursor(cursor),
        limit: most,
      }),
    );
    const below = path === "/" ? "" : path;
    const result = pageView(
      page,
      ({ names, files, size }) => ({ path: [below, ...names].join("/") || "/", files, size }),
      ({ names }) => writePathCursor(names),
    );
    return showAddresses(context, result, { path: place });
  },
});
