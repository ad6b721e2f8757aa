import { contentsText } from "@svc/rendering/contents-text";
import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { Contents, contentsOf } from "../trash/contents.ts";
import { deleteAll } from "../trash/delete-all.ts";
import { showAddresses } from "../tree/show-addresses.ts";
import { FilePath, locateToTake, NodeView, nodeView } from "../tree/tree.ts";
import { NodeUndo, undoNode } from "../undo-node.ts";

export default defineCommand({
  summary: "Move a file or folder to the trash",
  description: "Commits immediately, like Unix `rm`. To get it back, use `undo` or `files restore`.",
  category: "Files",
  aliases: ["rm"],
  effect: "write",
  agents: "listed",
  reach: "inside",
  scopes: ["files:write"],
  arguments: z.strictObject({ target: FilePath.describe("Path or id") }),
  positionals: ["target"],
  result: NodeView.extend({
    contents: Contents.optional().describe("What a folder had, as far as you can see"),
  }),
  presentation: {
    as: "text",
    text: ({ path, contents }) => {
      const had = contents ? contentsText(contents) : "";
      return `Moved ${path} to the trash${had === "" ? "" : `: ${had}`}`;
    },
  },
  examples: [
    { command: "files delete /inbox/old.pdf", note: "Moves it to the trash" },
    { command: "files delete /inbox --dry-run", note: "Shows what would change" },
  ],
  keywords: ["remove", "rm", "trash", "erase", "throw away"],
  failures: ["not_found", "conflict", "usage"],
  async run(context, { target }) {
    const place = await locateToTake(context, target);
    const contents = place.node.kind === "folder" ? await contentsOf(context, place) : undefined;
    const [undo] = await deleteAll(context, [{ ...place, contents }]);
    context.recordUndo(undo);
    const view = { ...nodeView(place.node, place.path), ...(contents ? { contents } : {}) };
    return showAddresses(context, view, { path: place });
  },
  undo: { payload: NodeUndo, run: undoNode },
});
