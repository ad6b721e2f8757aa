import { localFile } from "@svc/command-router/arguments/local-file";
import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { passingOutcomes } from "../../../platform/text/readers/extraction.ts";
import { checkPut } from "../putting/check-put.ts";
import { ContentUndo, undoContent } from "../putting/content.ts";
import { PutView, putSource } from "../putting/put-source.ts";
import { selecting } from "../putting/select-entries.ts";
import { locateSources, mayMakeFolders, toSources } from "../putting/sources.ts";
import { makeMissing } from "../tree/placing.ts";
import { showAddresses } from "../tree/show-addresses.ts";
import { FilePath } from "../tree/tree.ts";
import { creationUndo } from "../undo-node.ts";

/** Each is announced and asked for on its own. */
const mostSources = 100;

export default defineCommand({
  summary: "Upload files, and folders with everything in them",
  description:
    "If a file exists, uploads a new version and keeps the old ones; what is unchanged is not sent. A target that ends with a slash is the folder to put it into; otherwise it is the new path. Several sources go into the target, which must be a folder. A single dash reads standard input.",
  category: "Files",
  aliases: ["put"],
  effect: "write",
  agents: "searchable",
  reach: "inside",
  scopes: ["files:write"],
  arguments: z.strictObject({
    source: z
      .array(localFile("File or folder on your machine, or -", { acceptsFolder: true, readsText: true }))
      .min(1)
      .max(mostSources),
    target: FilePath.default("/").describe("Folder to put it into, or new path"),
    parents: z.boolean().default(false).describe("Create missing folders on the way to the target"),
    ...selecting,
  }),
  positionals: ["source", "target"],
  result: z.union([
    PutView,
    z.object({
      path: z.string().describe("Folder that several sources were put into"),
      items: z.array(PutView),
    }),
  ]),
  presentation: {
    as: "text",
    text: (result) => ("items" in result ? result.items.map(lineOf).join("\n") : lineOf(result)),
  },
  examples: [
    { command: "files put ./q3.pdf /reports/", note: "Searchable immediately" },
    { command: "files put ./reports /", note: "A folder with everything in it" },
    { command: "files put ./q1.pdf ./q2.pdf ./scans /reports/", note: "Several, in one operation" },
    {
      command: 'files put ./site /web/site --parents --exclude "*.tmp"',
      note: "Some of it, into a new folder",
    },
    { command: "files put - /notes/today.md", note: "From standard input" },
  ],
  keywords: ["upload", "add file", "send", "save file", "replace", "write"],
  failures: ["not_found", "conflict", "usage", "too_large"],
  async beforeUpload(context, { source, ...options }, announced) {
    return checkPut(context, { ...options, sources: toSources(source) }, announced);
  },
  async run(context, { source, target, parents, ...selection }) {
    const wanted = { sources: toSources(source), target, parents };
    const made = mayMakeFolders(wanted) ? await makeMissing(context, target) : undefined;
    const places = await locateSources(context, wanted, "grow");
    const stored = [];
    for (const each of wanted.sources) stored.push(await putSource(context, each, places, selection));
    const items = made ? [creationUndo(made)] : stored.flatMap(({ undo }) => undo);
    if (items.length > 0) context.recordUndo({ items });
    const views = stored.map(({ view }) => view);
    const [first] = stored as [(typeof stored)[number]];
    const result = places.folder ? { path: places.folder.path, items: views } : first.view;
    return showAddresses(context, result, { path: first });
  },
  undo: { payload: ContentUndo, run: undoContent },
});

function lineOf({
  path,
  size,
  version = 1,
  text,
  files,
  unchanged = 0,
  leftOut = 0,
}: z.output<typeof PutView>) {
  if (files === undefined) {
    if (unchanged > 0) return `${path} is unchanged (${size} bytes)`;
    const retry = passingOutcomes.some((outcome) => outcome === text) ? ", will be retried later" : "";
    const read = text === undefined ? "" : `, text ${text}${retry}`;
    return `Put ${path} (${size} bytes${version > 1 ? `, version ${version}` : ""}${read})`;
  }
  const left = leftOut > 0 ? `, ${leftOut} left out` : "";
  if (files === 0 && unchanged > 0) return `${path} is unchanged (${count(unchanged)}${left})`;
  return `Put ${path} (${count(files)}${unchanged > 0 ? `, ${unchanged} unchanged` : ""}${left})`;
}

function count(files: number): string {
  return `${files} ${files === 1 ? "file" : "files"}`;
}
