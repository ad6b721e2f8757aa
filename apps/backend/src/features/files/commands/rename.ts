import { ProblemError } from "@svc/protocol/problem";
import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { nodeChanged } from "../node-events.ts";
import { requireName } from "../tree/path.ts";
import { nodeChange } from "../tree/placing.ts";
import { showAddresses } from "../tree/show-addresses.ts";
import {
  addressOf,
  changeNode,
  FilePath,
  locateToTake,
  NodeView,
  nodeView,
  requireRoleAt,
} from "../tree/tree.ts";
import { changeUndo, NodeUndo, undoNode } from "../undo-node.ts";

export default defineCommand({
  summary: "Rename a file or folder",
  category: "Files",
  effect: "write",
  agents: "searchable",
  reach: "inside",
  scopes: ["files:write"],
  arguments: z.strictObject({
    target: FilePath.describe("Path or id"),
    name: z.string().min(1).max(255).describe("The new name, without a path"),
  }),
  positionals: ["target", "name"],
  result: NodeView.extend({ from: z.string() }),
  presentation: { as: "text", text: ({ from, name }) => `Renamed ${from} to ${name}` },
  examples: [{ command: "files rename /reports/q3.pdf q3-final.pdf", note: "It stays in its folder" }],
  keywords: ["change name", "retitle", "mv"],
  failures: ["not_found", "conflict", "usage"],
  async run(context, { target, name: typed }) {
    const place = await locateToTake(context, target);
    requireRoleAt(place, "editor");
    const { node, path } = place;
    const name = requireName(typed);
    if (name === node.name) throw new ProblemError("conflict", `${addressOf(place)} already has this name.`);
    await changeNode(context, node, { name });
    const newPath = `${path.slice(0, path.lastIndexOf("/"))}/${name}`;
    context.recordChange(nodeChange("update", node, path, { before: { path }, after: { path: newPath } }));
    const renamed = { ...node, name, version: node.version + 1 };
    context.recordUndo(changeUndo(node, renamed));
    await nodeChanged(context, { kind: "RENAMED", node: renamed });
    return showAddresses(context, { ...nodeView(renamed, newPath), from: path }, { path: place });
  },
  undo: { payload: NodeUndo, run: undoNode },
});
