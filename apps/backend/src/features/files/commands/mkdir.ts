import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { locateNew, makeFolder } from "../tree/placing.ts";
import { showAddresses } from "../tree/show-addresses.ts";
import { FilePath, NodeView, nodeView } from "../tree/tree.ts";
import { creationUndo, NodeUndo, undoNode } from "../undo-node.ts";

export default defineCommand({
  summary: "Create a folder",
  category: "Files",
  aliases: ["mkdir"],
  effect: "write",
  agents: "listed",
  reach: "inside",
  scopes: ["files:write"],
  arguments: z.strictObject({
    folder: FilePath.describe("Path of the new folder; its parent must exist"),
  }),
  positionals: ["folder"],
  result: NodeView,
  presentation: { as: "text", text: ({ path }) => `Created folder ${path}` },
  examples: [{ command: "files mkdir /reports/2026", note: "In an existing folder" }],
  keywords: ["new folder", "create folder", "directory", "make directory"],
  failures: ["not_found", "conflict", "usage"],
  async run(context, { folder }) {
    const spot = await locateNew(context, folder, "grow");
    const node = await makeFolder(context, spot);
    context.recordUndo(creationUndo(node));
    return showAddresses(context, nodeView(node, spot.path), { path: spot.folder });
  },
  undo: { payload: NodeUndo, run: undoNode },
});
