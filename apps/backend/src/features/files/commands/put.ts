import { basename } from "node:path";
import { localFile } from "@svc/command-router/arguments/local-file";
import { localPath } from "@svc/protocol/local-path";
import { ProblemError } from "@svc/protocol/problem";
import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { passingOutcomes } from "../../../platform/text/readers/extraction.ts";
import { checkPut } from "../putting/check-put.ts";
import { ContentUndo, type PutContent, putContents, undoContent } from "../putting/content.ts";
import { putFolder } from "../putting/put-folder.ts";
import { selectEntries, selecting } from "../putting/select-entries.ts";
import { locatePut, makeMissing } from "../tree/placing.ts";
import { FilePath, NodeView, nodeView } from "../tree/tree.ts";
import { creationUndo } from "../undo-node.ts";

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
    parents: z.boolean().default(false).describe("Create missing folders on the way to the target"),
    ...selecting,
  }),
  positionals: ["source", "target"],
  result: NodeView.extend({
    version: z.int().optional(),
    text: z.string().optional().describe("Outcome of reading its text"),
    files: z.int().optional().describe("For a folder: number of files stored"),
    unchanged: z.int().optional().describe("Number of files that had this content already"),
    leftOut: z.int().optional().describe("For a folder: number of entries that were not stored"),
  }),
  presentation: {
    as: "text",
    text: ({ path, size, version = 1, text, files, unchanged = 0, leftOut = 0 }) => {
      if (files === undefined) {
        if (unchanged > 0) return `${path} is unchanged (${size} bytes)`;
        const retry = passingOutcomes.some((outcome) => outcome === text) ? ", will be retried later" : "";
        const read = text === undefined ? "" : `, text ${text}${retry}`;
        return `Put ${path} (${size} bytes${version > 1 ? `, version ${version}` : ""}${read})`;
      }
      const left = leftOut > 0 ? `, ${leftOut} left out` : "";
      if (files === 0 && unchanged > 0) return `${path} is unchanged (${count(unchanged)}${left})`;
      return `Put ${path} (${count(files)}${unchanged > 0 ? `, ${unchanged} unchanged` : ""}${left})`;
    },
  },
  examples: [
    { command: "files put ./q3.pdf /reports/", note: "Searchable immediately" },
    { command: "files put ./reports /", note: "A folder with everything in it" },
    {
      command: 'files put ./site /web/site --parents --exclude "*.tmp"',
      note: "Some of it, into a new folder",
    },
    { command: "files put - /notes/today.md", note: "From standard input" },
  ],
  failures: ["not_found", "conflict", "usage", "too_large"],
  async beforeUpload(context, { source, ...options }, announced) {
    const name = nameOf(source);
    return new Map([["source", await checkPut(context, { name, ...options }, announced.get("source"))]]);
  },
  async run(context, { source, target, parents, ...selection }) {
    const file = context.uploads.get("source");
    if (!file) throw new ProblemError("usage", `\`${source}\` was not sent.`);
    const name = nameOf(source);
    const made = parents ? await makeMissing(context, target) : undefined;
    const above = made ? [creationUndo(made)] : [];
    if (file.entries) {
      const entries = [...selectEntries(file.entries, selection).values()];
      const { node, path, files, unchanged, undo } = await putFolder(context, target, name, entries);
      const items = made ? above : undo.items;
      if (items.length > 0) context.recordUndo({ items });
      const leftOut = file.entries.length - entries.length;
      return { ...nodeView(node, path), files, unchanged, ...(leftOut > 0 ? { leftOut } : {}) };
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
    context.recordUndo({ items: made ? above : [undo] });
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
