import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { copyTree } from "../tree/copy-tree.ts";
import { locateTarget } from "../tree/placing.ts";
import { showAddresses } from "../tree/show-addresses.ts";
import { FilePath, locateNode, NodeView, nodeView } from "../tree/tree.ts";
import { creationUndo, NodeUndo, undoNode } from "../undo-node.ts";

export default defineCommand({
  summary: "Copy a file or folder, with everything below it that you can see",
  description:
    "The copy follows the access list of its new folder, and its first version is the current content.",
  category: "Files",
  aliases: ["cp"],
  effect: "write",
  agents: "listed",
  reach: "inside",
  scopes: ["files:write"],
  arguments: z.strictObject({
    source: FilePath.describe("Path or id of the file or folder to copy"),
    target: FilePath.describe("Folder to copy into, or new path"),
  }),
  positionals: ["source", "target"],
  result: NodeView.extend({ from: z.string(), files: z.int() }),
  presentation: {
    as: "text",
    text: ({ from, path, files }) => `Copied ${from} to ${path} (${files} ${files === 1 ? "file" : "files"})`,
  },
  examples: [
    { command: "files copy /templates/offer.docx /offers/acme.docx", note: "Under a new name" },
    { command: "files copy marketing:/logo.svg /offers/", note: "From another workspace" },
  ],
  keywords: ["duplicate", "clone", "cp", "backup"],
  failures: ["not_found", "conflict", "usage"],
  async run(context, { source, target }) {
    const from = await locateNode(context, source);
    const spot = await locateTarget(context, target, from.node.name, "grow");
    const { node, files } = await copyTree(context, from, spot);
    context.recordUndo(creationUndo(node));
    const result = { ...nodeView(node, spot.path), from: from.path, files };
    return showAddresses(context, result, { path: spot.folder, from });
  },
  undo: { payload: NodeUndo, run: undoNode },
});
