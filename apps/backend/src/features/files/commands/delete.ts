import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { nodeChanged } from "../node-events.ts";
import { nodeChange } from "../tree/placing.ts";
import { changeNode, FilePath, locateNode, NodeView, nodeView, requireRoleAt } from "../tree/tree.ts";
import { changeUndo, NodeUndo, undoNode } from "../undo-node.ts";

export default defineCommand({
  summary: "Move a file or folder to the trash",
  description:
    "Commits immediately, like Unix `rm`. To get it back, use `operations undo` or `files restore`.",
  category: "Files",
  effect: "write",
  scopes: ["files:write"],
  arguments: z.strictObject({ target: FilePath.describe("Path or id") }),
  positionals: ["target"],
  result: NodeView,
  presentation: { as: "text", text: ({ path }) => `Moved ${path} to the trash` },
  examples: [
    { command: "files delete /inbox/old.pdf", note: "Moves it to the trash" },
    { command: "files delete /inbox --dry-run", note: "Shows what would change" },
  ],
  failures: ["not_found", "conflict", "usage"],
  async run(context, { target }) {
    const place = await locateNode(context, target);
    // guard: deleting-needs-editor
    requireRoleAt(place, "editor");
    const { node, path } = place;
    await changeNode(context, node, { trashedAt: context.now });
    context.recordChange(nodeChange("delete", node, path));
    context.recordUndo(changeUndo(node, { ...node, trashedAt: context.now, version: node.version + 1 }));
    await nodeChanged(context, { kind: "TRASHED", node });
    return nodeView(node, path);
  },
  undo: { payload: NodeUndo, run: undoNode },
});
