import { naming } from "@svc/command-router/arguments/value-kind";
import { pointTo } from "@svc/protocol/next";
import { ProblemError } from "@svc/protocol/problem";
import { decodeId } from "@svc/protocol/typed-id";
import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { prefixOf } from "../../workspaces/workspaces.ts";
import { bringBack, requireTrashed } from "../trash/trash.ts";
import { showAddresses } from "../tree/show-addresses.ts";
import { FilePath, NodeView, nodeView } from "../tree/tree.ts";
import { changeUndo, NodeUndo, undoNode } from "../undo-node.ts";

export default defineCommand({
  summary: "Restore a file or folder from the trash",
  category: "Files",
  effect: "write",
  agents: "searchable",
  reach: "inside",
  scopes: ["files:write"],
  arguments: z.strictObject({
    target: z.string().min(1).max(100).meta(naming("trashed")).describe("Id, from `trash list`"),
    into: FilePath.optional().describe("Folder to restore it into, if its old folder is gone"),
  }),
  positionals: ["target"],
  result: NodeView,
  presentation: { as: "text", text: ({ path }) => `Restored ${path}` },
  examples: [{ command: "files restore file_01h455vb4pex5vsknk084sn02q", note: "To its old place" }],
  keywords: [
    "undelete",
    "recover",
    "bring back",
    "from trash",
    "get back",
    "undo delete",
    "removed by mistake",
    "put back",
  ],
  failures: ["not_found", "conflict", "usage"],
  async run(context, { target, into }) {
    const id = decodeId(target, "file", "folder");
    if (id === undefined)
      throw new ProblemError("not_found", `\`${target}\` is not the id of a file or folder.`, {
        ...pointTo({ command: "trash list" }, "to see ids of what can be restored."),
      });
    const found = await requireTrashed(context, id, "reshape");
    const { node, path } = await bringBack(context, found, { into, version: found.node.version + 1 });
    context.recordUndo(changeUndo(found.node, node));
    const prefix = await prefixOf(context, found.workspace);
    return showAddresses(context, nodeView(node, path), { path: { prefix } });
  },
  undo: { payload: NodeUndo, run: undoNode },
});
