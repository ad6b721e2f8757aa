import { exactTimeIn } from "@svc/rendering/view";
import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { nodeChange } from "../tree/placing.ts";
import { showAddresses } from "../tree/show-addresses.ts";
import { changeNode, FilePath, locateNode, NodeView, nodeView, requireRoleAt } from "../tree/tree.ts";
import { NodeUndo, timeUndo, undoNode } from "../undo-node.ts";

export default defineCommand({
  summary: "Mark a file or folder as changed now",
  category: "Files",
  effect: "write",
  agents: "searchable",
  reach: "inside",
  scopes: ["files:write"],
  arguments: z.strictObject({ target: FilePath.describe("Path or id") }),
  positionals: ["target"],
  result: NodeView,
  presentation: {
    as: "text",
    text: ({ path, updatedAt }, view) => `${path} changed at ${exactTimeIn(view, updatedAt)}`,
  },
  examples: [{ command: "files touch /reports/q3.pdf", note: "Lists by time show it first" }],
  keywords: ["update time", "mark changed", "modification time"],
  failures: ["not_found", "conflict", "usage"],
  async run(context, { target }) {
    const place = await locateNode(context, target);
    requireRoleAt(place, "editor");
    const { node, path } = place;
    await changeNode(context, node, { updatedAt: context.now });
    context.recordChange(nodeChange("update", node, path));
    const touched = { ...node, updatedAt: context.now, version: node.version + 1 };
    context.recordUndo(timeUndo(node, touched));
    return showAddresses(context, nodeView(touched, path), { path: place });
  },
  undo: { payload: NodeUndo, run: undoNode },
});
