import { ProblemError } from "@svc/protocol/problem";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import type { StagedEntry } from "../../platform/uploads/staged-file.ts";
import { type ContentUndo, putContent } from "./content.ts";
import type { Node } from "./files-store.ts";
import { findReplaceable, locateTarget, makeFolder, type Spot, spotIn } from "./tree/placing.ts";
import type { Place } from "./tree/tree.ts";
import { creationUndo } from "./undo-node.ts";

interface OpenFolder {
  place: Place;
  /** A folder that was just created contains nothing that could conflict. */
  isNew: boolean;
}

/** Uploads a folder with everything in it. If the folder exists, changed files get a new version and nothing is removed. */
export async function putFolder(
  context: CommandContext,
  target: string,
  name: string,
  entries: readonly StagedEntry[],
): Promise<{ node: Node; path: string; files: number; unchanged: number; undo: ContentUndo }> {
  const undo: ContentUndo = { items: [] };
  const root = await openFolder(context, await locateTarget(context, target, name, "grow"), false, undo);
  if (!root.place.node) throw new ProblemError("usage", "The uploaded folder has no name.");
  const open = new Map<string, OpenFolder>([["", root]]);
  const folderAt = async (names: readonly string[]): Promise<OpenFolder> => {
    const key = names.join("/");
    const opened = open.get(key);
    if (opened) return opened;
    const parent = await folderAt(names.slice(0, -1));
    const folder = await openFolder(context, spotIn(parent.place, names.at(-1) ?? ""), parent.isNew, undo);
    open.set(key, folder);
    return folder;
  };

  let files = 0;
  let unchanged = 0;
  for (const { names, file } of entries) {
    if (!file) {
      await folderAt(names);
      continue;
    }
    const folder = await folderAt(names.slice(0, -1));
    const spot = spotIn(folder.place, names.at(-1) ?? "");
    const existing = folder.isNew ? null : await findReplaceable(context, spot, "file");
    if (existing?.sha256 === file.sha256) {
      unchanged += 1;
      continue;
    }
    const put = await putContent(context, { ...spot, existing }, file);
    // Everything in a new folder goes to the trash with it.
    if (!folder.isNew) undo.items.push(put.undo);
    files += 1;
    context.progress({ label: "Storing", done: files, total: entries.length, unit: "files" });
  }
  return { node: root.place.node, path: root.place.path, files, unchanged, undo };
}

async function openFolder(
  context: CommandContext,
  spot: Spot,
  isInNew: boolean,
  undo: ContentUndo,
): Promise<OpenFolder> {
  const existing = isInNew ? null : await findReplaceable(context, spot, "folder");
  if (existing) return { place: { ...spot.folder, node: existing, path: spot.path }, isNew: false };
  const node = await makeFolder(context, spot);
  if (!isInNew) undo.items.push(creationUndo(node));
  return { place: { ...spot.folder, node, path: spot.path }, isNew: true };
}
