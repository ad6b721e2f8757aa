import { z } from "zod";
import { defineCommand } from "../../../platform/define-command.ts";
import { nodeChange, requireAsLeft } from "../placing.ts";
import {
  changeNode,
  changeNodeBack,
  FilePath,
  locateNode,
  NodeView,
  nodeView,
  requireRoleAt,
} from "../tree.ts";

export default defineCommand({
  summary: "Mark a file or folder as changed now",
  category: "Files",
  effect: "write",
  scopes: ["files:write"],
  arguments: z.strictObject({ target: FilePath.describe("Path or id") }),
  positionals: ["target"],
  result: NodeView,
  presentation: { as: "text", text: ({ path, updatedAt }) => `${path} changed at ${updatedAt}` },
  examples: [{ command: "files touch /reports/q3.pdf", note: "It comes first where the latest does" }],
  failures: ["not_found", "conflict", "usage"],
  async run(context, { target }) {
    const place = await locateNode(context, target);
    requireRoleAt(place, "editor");
    const { node, path } = place;
    await changeNode(context, node, { updatedAt: context.now });
    context.recordChange(nodeChange("update", node, path));
    context.recordUndo({ id: node.id, version: node.version + 1, updatedAt: node.updatedAt.toISOString() });
    return nodeView({ ...node, updatedAt: context.now }, path);
  },
  undo: {
    payload: z.object({ id: z.string(), version: z.int(), updatedAt: z.iso.datetime() }),
    async run(context, { id, version, updatedAt }) {
      const { node, path } = await requireAsLeft(context, id, version);
      await changeNodeBack(context, node, { updatedAt: new Date(updatedAt) });
      context.recordChange(nodeChange("update", node, path));
    },
  },
});
