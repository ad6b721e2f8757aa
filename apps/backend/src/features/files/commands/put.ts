import { basename } from "node:path";
import { localFile } from "@svc/command-router/arguments/local-file";
import { localPath } from "@svc/protocol/local-path";
import { ProblemError } from "@svc/protocol/problem";
import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { passingOutcomes } from "../../../platform/text/readers/extraction.ts";
import { ContentUndo, putContent, undoContent } from "../content.ts";
import { putFolder } from "../put-folder.ts";
import { locatePut, requirePutTarget } from "../tree/placing.ts";
import { FilePath, NodeView, nodeView } from "../tree/tree.ts";

export default defineCommand({
  summary: "Upload a file, or a folder with everything in it",
  description:
    "If the file exists, uploads a new version and keeps the old ones. A single dash reads standard input.",
  category: "Files",
  effect: "write",
  scopes: ["files:write"],
  arguments: z.strictObject({
    source: localFile("File or folder on your machine, or -", { acceptsFolder: true, readsText: true }),
    target: FilePath.default("/").describe("Folder to put it into, or new path"),
  }),
  positionals: ["source", "target"],
  result: NodeView.extend({
    version: z.int().optional(),
    text: z.string().optional().describe("Outcome of reading its text"),
    files: z.int().optional().describe("For a folder: number of files uploaded"),
    unchanged: z.int().optional().describe("For a folder: number of files that already had this content"),
  }),
  presentation: {
    as: "text",
    text: ({ path, size, version = 1, text, files, unchanged }) => {
      if (files === undefined) {
        const retry = passingOutcomes.some((outcome) => outcome === text) ? ", will be retried later" : "";
        return `Put ${path} (${size} bytes${version > 1 ? `, version ${version}` : ""}, text ${text}${retry})`;
      }
      return `Put ${path} (${files} ${files === 1 ? "file" : "files"}${unchanged ? `, ${unchanged} unchanged` : ""})`;
    },
  },
  examples: [
    { command: "files put ./q3.pdf /reports/", note: "Searchable immediately" },
    { command: "files put ./reports /", note: "A folder with everything in it" },
    { command: "files put - /notes/today.md", note: "From standard input" },
  ],
  failures: ["not_found", "conflict", "usage", "too_large"],
  beforeUpload: (context, { source, target }) => requirePutTarget(context, target, nameOf(source)),
  async run(context, { source, target }) {
    const file = context.uploads.get("source");
    if (!file) throw new ProblemError("usage", `\`${source}\` was not sent.`);
    const name = nameOf(source);
    if (file.entries) {
      const { node, path, files, unchanged, undo } = await putFolder(context, target, name, file.entries);
      if (undo.items.length === 0) {
        throw new ProblemError("conflict", `${path} already has this content.`);
      }
      context.recordUndo(undo);
      return { ...nodeView(node, path), files, unchanged };
    }
    const spot = await locatePut(context, target, name);
    if (source === "-" && spot.name === "-") {
      throw new ProblemError("usage", `${target} is a folder, and standard input has no file name.`, {
        hint: "Add a file name, for example `svc files put - /notes/today.md`.",
      });
    }
    const { node, outcome, undo } = await putContent(context, { spot, file });
    context.recordUndo({ items: [undo] });
    return { ...nodeView(node, spot.path), version: node.contentVersion, text: outcome };
  },
  undo: { payload: ContentUndo, run: undoContent },
});

function nameOf(source: string): string {
  return basename(localPath(source).replaceAll("\\", "/"));
}
