import { localFile } from "@svc/command-router/arguments/local-file";
import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { findRoot } from "../putting/check-folder.ts";
import { ContentUndo, undoContent } from "../putting/content.ts";
import { putFolder } from "../putting/put-folder.ts";
import { selectEntries, selecting } from "../putting/select-entries.ts";
import { checkSync, notAFolder } from "../syncing/check-sync.ts";
import { findOnlyRemote } from "../syncing/only-remote.ts";
import { deleteAll } from "../trash/delete-all.ts";
import { asFolder, locateWhole, makeMissing } from "../tree/placing.ts";
import { showAddresses } from "../tree/show-addresses.ts";
import { FilePath } from "../tree/tree.ts";
import { creationUndo } from "../undo-node.ts";

const Numbers = z.object({
  new: z.int().describe("Files and folders, like all these numbers"),
  changed: z.int(),
  unchanged: z.int(),
  deleted: z.int().describe("Existed only in the target and went to the trash"),
  kept: z.int().describe("Exist only in the target"),
  leftOut: z.int().describe("Entries of the source that were not stored"),
});

export default defineCommand({
  summary: "Make a folder equal to one on your machine",
  description:
    "Sends new and changed files only. What exists only in the target is kept, or goes to the trash with --delete; what " +
    "you exclude is neither sent nor deleted. The target is the folder itself, and is created if it does not exist.",
  category: "Files",
  effect: "write",
  agents: "searchable",
  reach: "inside",
  scopes: ["files:write"],
  arguments: z.strictObject({
    source: localFile("Folder on your machine", { acceptsFolder: true, readsText: true }),
    target: FilePath.describe("Path or id of the folder to make equal to it"),
    delete: z.boolean().default(false).describe("Move what exists only in the target to the trash"),
    parents: z.boolean().default(false).describe("Create missing folders on the way to the target"),
    ...selecting,
  }),
  positionals: ["source", "target"],
  result: Numbers.extend({ path: z.string() }),
  presentation: {
    as: "text",
    text: ({ path, ...numbers }) =>
      numbers.new + numbers.changed + numbers.deleted > 0
        ? `Synced ${path}${inBrackets(numbers)}`
        : `${path} is unchanged${inBrackets({ ...numbers, unchanged: 0 })}`,
    plan: ({ path, ...numbers }) => `Sync ${path}${inBrackets(numbers)}`,
  },
  examples: [
    { command: "files sync ./site /site", note: "Sends what is new or changed" },
    {
      command: "files sync ./site /site --delete --dry-run",
      note: "Shows what would be sent and deleted",
    },
    { command: 'files sync ./site /site --delete --exclude "*.log"', note: "Leaves the logs there alone" },
  ],
  keywords: ["mirror", "synchronise", "same as local", "rsync"],
  failures: ["not_found", "conflict", "usage", "too_large"],
  async beforeUpload(context, args, announced) {
    const checked = await checkSync(context, args, announced.get(args.source));
    return checked && new Map([[args.source, checked]]);
  },
  async run(context, { source, target, delete: deletes, parents, ...selection }) {
    const file = context.uploads.get(source);
    if (!file?.entries) throw notAFolder(source);
    // guard: syncs-that-delete-go-alone
    const lock = deletes ? "reshape" : "grow";
    const made = parents ? await makeMissing(context, asFolder(target), lock) : undefined;
    const located = await locateWhole(context, target, lock);
    const entries = [...selectEntries(file.entries, selection).values()];
    const root = await findRoot(context, located);
    const local = { entries, exclude: selection.exclude, leftOut: file.leftOut ?? [] };
    const { deletable, deleted, kept } = root
      ? await findOnlyRemote(context, root, local, deletes)
      : { deletable: [], deleted: 0, kept: 0 };
    const gone = await deleteAll(context, deletable);
    const { place, files, folders, undo } = await putFolder(context, located, entries);
    const items = made ? [creationUndo(made)] : [...gone, ...undo.items];
    if (items.length > 0) context.recordUndo({ items });
    const result = {
      path: place.path,
      new: files.created + folders.created,
      changed: files.changed,
      unchanged: files.unchanged + folders.unchanged,
      deleted,
      kept,
      leftOut: file.entries.length - entries.length,
    };
    return showAddresses(context, result, { path: place });
  },
  undo: { payload: ContentUndo, run: undoContent },
});

function inBrackets({ leftOut, ...numbers }: z.output<typeof Numbers>): string {
  const parts = Object.entries({ ...numbers, "left out": leftOut }).flatMap(([what, number]) =>
    number > 0 ? [`${number} ${what}`] : [],
  );
  return parts.length > 0 ? ` (${parts.join(", ")})` : "";
}
