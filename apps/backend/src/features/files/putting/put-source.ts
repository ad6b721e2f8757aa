import { ProblemError } from "@svc/protocol/problem";
import { z } from "zod";
import type { CommandContext } from "../../../platform/commands/command-context.ts";
import type { StagedEntry, StagedFile } from "../../../platform/uploads/staged-file.ts";
import { findReplaceable, type Spot } from "../tree/placing.ts";
import { addressOf, NodeView, nodeView, type Place } from "../tree/tree.ts";
import type { NodeUndo } from "../undo-node.ts";
import { type PutContent, putContents } from "./content.ts";
import { putFolder } from "./put-folder.ts";
import { type Selecting, selectEntries } from "./select-entries.ts";
import type { Places, Source } from "./sources.ts";

export const PutView = NodeView.extend({
  version: z.int().optional(),
  text: z.string().optional().describe("Outcome of reading its text"),
  files: z.int().optional().describe("For a folder: number of files stored"),
  unchanged: z.int().optional().describe("Number of files that had this content already"),
  leftOut: z.int().optional().describe("For a folder: number of entries that were not stored"),
});

interface Stored {
  view: z.input<typeof PutView>;
  undo: NodeUndo[];
  /** See `Place`. */
  prefix: string;
}

/** Stores a file, or a folder with everything in it. */
export async function putSource(
  context: CommandContext,
  { path, name }: Source,
  places: Places,
  selecting: Selecting,
): Promise<Stored> {
  const file = context.uploads.get(path);
  if (!file) throw new ProblemError("usage", `\`${path}\` was not sent.`);
  if (file.entries) return putTree(context, await places.ofFolder(name), file.entries, selecting);
  const spot = await places.ofFile(name);
  if (path === "-" && spot.name === "-") {
    throw new ProblemError(
      "usage",
      `${addressOf(spot.folder)} is a folder, and standard input has no file name.`,
      {
        hint: "Add a file name, for example `svc files put - /notes/today.md`.",
      },
    );
  }
  return putFile(context, spot, file);
}

async function putTree(
  context: CommandContext,
  located: Spot | Place,
  all: readonly StagedEntry[],
  selecting: Selecting,
): Promise<Stored> {
  const entries = [...selectEntries(all, selecting).values()];
  const { place, files, undo } = await putFolder(context, located, entries);
  if (!place.node) throw new Error("a folder was put without a name");
  const leftOut = all.length - entries.length;
  const view = {
    ...nodeView(place.node, place.path),
    files: files.created + files.changed,
    unchanged: files.unchanged,
    ...(leftOut > 0 ? { leftOut } : {}),
  };
  return { view, undo: undo.items, prefix: place.prefix };
}

async function putFile(context: CommandContext, spot: Spot, file: StagedFile): Promise<Stored> {
  const existing = await findReplaceable(context, spot, "file");
  if (existing?.sha256 === file.sha256) {
    const view = { ...nodeView(existing, spot.path), version: existing.contentVersion, unchanged: 1 };
    return { view, undo: [], prefix: spot.folder.prefix };
  }
  const [put] = await putContents(context, [{ spot: { ...spot, existing }, file }]);
  const { node, outcome, undo } = put as PutContent;
  const text = file.isDescribed ? undefined : outcome;
  const view = { ...nodeView(node, spot.path), version: node.contentVersion, text };
  return { view, undo: [undo], prefix: spot.folder.prefix };
}
