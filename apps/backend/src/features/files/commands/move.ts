import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { nodeChanged } from "../node-events.ts";
import { locateTarget, nodeChange, relocate } from "../tree/placing.ts";
import { showAddresses } from "../tree/show-addresses.ts";
import { changeNode, FilePath, locateNode, NodeView, nodeView, requireRoleAt } from "../tree/tree.ts";
import { changeUndo, NodeUndo, undoNode } from "../undo-node.ts";

export default defineCommand({
  summary: "Move a file or folder, with everything below it",
  description: "If the target is a folder, moves into it; otherwise the target is the new path.",
  category: "Files",
  aliases: ["mv"],
  effect: "write",
  agents: "listed",
  reach: "inside",
  scopes: ["files:write"],
  arguments: z.strictObject({
    source: FilePath.describe("Path or id of the file or folder to move"),
    target: FilePath.describe("Folder to move into, or new path"),
  }),
  positionals: ["source", "target"],
  result: NodeView.extend({ from: z.string() }),
  presentation: { as: "text", text: ({ from, path }) => `Moved ${from} to ${path}` },
  examples: [
    { command: "files move /inbox/q3.pdf /reports/", note: "Into a folder" },
    { command: "files move /reports/q3.pdf /reports/q3-final.pdf", note: "To a new name" },
  ],
  keywords: ["mv", "relocate", "put into folder", "reorganise"],
  failures: ["not_found", "conflict", "usage"],
  async run(context, { source, target }) {
    const from = await locateNode(context, source, "reshape");
    // guard: moving-needs-editor
    requireRoleAt(from, "editor");
    const { node } = from;
    const spot = await locateTarget(context, target, node.name);
    await relocate(context, node, spot, (set) => changeNode(context, node, set));
    context.recordChange(
      nodeChange("update", node, from.path, { before: { path: from.path }, after: { path: spot.path } }),
    );
    const parentId = spot.folder.node?.id ?? spot.folder.workspace.id;
    const moved = { ...node, parentId, name: spot.name, version: node.version + 1 };
    context.recordUndo(changeUndo(node, moved));
    await nodeChanged(context, { kind: "MOVED", node: moved });
    const result = { ...nodeView(moved, spot.path), from: from.path };
    return showAddresses(context, result, { path: spot.folder, from });
  },
  undo: { payload: NodeUndo, run: undoNode },
});
