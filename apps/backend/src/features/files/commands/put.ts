import { basename } from "node:path";
import { localFile } from "@svc/command-router/arguments/local-file";
import { localPath } from "@svc/protocol/local-path";
import { ProblemError } from "@svc/protocol/problem";
import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { passingOutcomes } from "../../../platform/text/readers/extraction.ts";
import { checkPut } from "../check-put.ts";
import { ContentUndo, type PutContent, putContents, undoContent } from "../content.ts";
import { putFolder } from "../put-folder.ts";
import { locatePut } from "../tree/placing.ts";
import { FilePath, NodeView, nodeView } from "../tree/tree.ts";

export default defineCommand({
  summary: "Upload a file, or a folder with everything in it",
  description:
    "If a file exists, uploads a new version and keeps the old ones; what is unchanged is not sent. A target that ends with a slash is the folder to put it into; otherwise it is the new path. A single dash reads standard input.",
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
    files: z.int().optional().describe("For a folder: number of files stored"),
    unchanged: z.int().optional().describe("Number of files that had this content already"),
  }),
  presentation: {
    as: "text",
    text: ({ path, size, version = 1, text, files, unchanged = 0 }) => {
      if (files === undefined) {
        if (unchanged > 0) return `${path} is unchanged (${size} bytes)`;
        const retry = passingOutcomes.some((outcome) => outcome === text) ? ", will be retried later" : "";
        const read = text === undefined ? "" : `, text ${text}${retry}`;
        return `Put ${path} (${size} bytes${version > 1 ? `, version ${version}` : ""}${read})`;
      }
      if (files === 0 && unchanged > 0) return `${path} is unchanged (${count(unchanged)})`;
      return `Put ${path} (${count(files)}${unchanged > 0 ? `, ${unchanged} unchanged` : ""})`;
    },
  },
  examples: [
    { command: "files put ./q3.pdf /reports/", note: "Searchable immediately" },
    { command: "files put ./reports /", note: "A folder with everything in it" },
    { command: "files put - /notes/today.md", note: "From standard input" },
  ],
  failures: ["not_found", "conflict", "usage", "too_large"],
  async beforeUpload(context, { source, target }, announced) {
    const there = await checkPut(context, target, nameOf(source), announced.get("source"));
    return new Map([["source", there]]);
  },
  async run(context, { source, target }) {
    const file = context.uploads.get("source");
    if (!file) throw new ProblemError("usage", `\`${source}\` was not sent.`);
    const name = nameOf(source);
    if (file.entries) {
      const { node, path, files, unchanged, undo } = await putFolder(context, target, name, file.entries);
      if (undo.items.length > 0) context.recordUndo(undo);
      return { ...nodeView(node, path), files, unchanged };
    }
    const spot = await locatePut(context, target, name);
    if (source === "-" && spot.name === "-") {
      throw new ProblemError("usage", `${target} is a folder, and standard input has no file name.`, {
        hint: "Add a file name, for example `svc files put - /notes/today.md`.",
      });
    }
    const { existing } = spot;
    if (existing?.sha256 === file.sha256) {
      return { ...nodeView(existing, spot.path), version: existing.contentVersion, unchanged: 1 };
    }
    const [put] = await putContents(context, [{ spot, file }]);
    const { node, outcome, undo } = put as PutContent;
    context.recordUndo({ items: [undo] });
    const text = file.isDescribed ? undefined : outcome;
    return { ...nodeView(node, spot.path), version: node.contentVersion, text };
  },
  undo: { payload: ContentUndo, run: undoContent },
});

function nameOf(source: string): string {
  return basename(localPath(source));
}

function count(files: number): string {
  return `${files} ${files === 1 ? "file" : "files"}`;
}
