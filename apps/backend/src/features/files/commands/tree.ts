import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { showAddresses } from "../tree/show-addresses.ts";
import { listSubtree } from "../tree/subtree-store.ts";
import { FilePath, leadingFolders, locateFolder, NodeView, nodeView } from "../tree/tree.ts";

const maxNodes = 2_000;

export default defineCommand({
  summary: "Show a folder and everything below it",
  category: "Files",
  aliases: ["tree"],
  effect: "read",
  agents: "searchable",
  reach: "inside",
  scopes: ["files:read"],
  arguments: z.strictObject({
    folder: FilePath.default("/").describe("Path or id of the folder"),
    depth: z.int().min(1).max(100).default(5).meta({ description: "Maximum number of levels", short: "d" }),
  }),
  positionals: ["folder"],
  result: z.object({
    path: z.string(),
    nodes: z.array(NodeView.extend({ depth: z.int() })),
    isComplete: z.boolean(),
  }),
  presentation: {
    as: "text",
    text: ({ path, nodes, isComplete }) =>
      [
        path,
        ...nodes.map(
          ({ depth, name, kind }) => `${"  ".repeat(depth)}${name}${kind === "folder" ? "/" : ""}`,
        ),
        ...(isComplete ? [] : [`(first ${nodes.length} only; name a subfolder to see the rest)`]),
      ].join("\n"),
  },
  examples: [{ command: "files tree /reports --depth 2", note: "Two levels" }],
  keywords: [
    "structure",
    "recursive list",
    "hierarchy",
    "everything below",
    "overview",
    "subfolders",
    "outline",
    "layout",
    "folders inside",
  ],
  failures: ["not_found", "usage", "conflict"],
  async run(context, { folder, depth }) {
    const place = await locateFolder(context, folder);
    const { rights, node, workspace, path } = place;
    const rows = await listSubtree(
      context.transaction,
      node?.id ?? workspace.id,
      { readable: rights.readable, leading: await leadingFolders(context, rights) },
      { depth, limit: maxNodes + 1 },
    );
    const below = path === "/" ? "" : path;
    const result = {
      path,
      nodes: rows.slice(0, maxNodes).map((row) => ({
        ...nodeView(row, `${below}/${row.names.join("/")}`),
        depth: row.depth,
      })),
      isComplete: rows.length <= maxNodes,
    };
    return showAddresses(context, result, { path: place });
  },
});
