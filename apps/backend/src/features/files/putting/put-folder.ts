import type { CommandContext } from "../../../platform/commands/command-context.ts";
import type { NameNode } from "../../../platform/uploads/name-tree.ts";
import type { StagedEntry } from "../../../platform/uploads/staged-file.ts";
import type { Node } from "../files-store.ts";
import { findReplaceable, lookAt, makeFolders, type Spot, spotIn } from "../tree/placing.ts";
import type { Place } from "../tree/tree.ts";
import { creationUndo } from "../undo-node.ts";
import { type ContentUndo, type Put, putContents } from "./content.ts";
import { byDepth, folderOf, foldersOf } from "./folders-of.ts";
import { sentTwice } from "./sent-twice.ts";

interface OpenFolder {
  place: Place;
  /** Names that were sent to it. */
  taken: Set<string>;
  /** A folder that was just created contains nothing that could conflict. */
  isNew: boolean;
}

type OpenFolders = ReadonlyMap<NameNode, OpenFolder>;

/** In one statement: so many files, and about so many characters of their texts. */
const most = { files: 500, characters: 4_000_000 };

interface Counts {
  files: { created: number; changed: number; unchanged: number };
  /** The root counts only if it was created. */
  folders: { created: number; unchanged: number };
}

/** Uploads a folder with everything in it. If the folder exists, changed files get a new version and nothing is removed. */
export async function putFolder(
  context: CommandContext,
  located: Spot | Place,
  entries: readonly StagedEntry[],
): Promise<Counts & { place: Place; undo: ContentUndo }> {
  const undo: ContentUndo = { items: [] };
  const root = await openRoot(context, located, undo);
  const top = foldersOf(entries.values().map(({ names, file }) => ({ names, isFolder: file === undefined })));
  const folders = await openAll(context, root, top, undo);

  const total = entries.filter(({ file }) => file !== undefined).length;
  const files = { created: 0, changed: 0, unchanged: 0 };
  for await (const some of inBatches(context, top, folders, entries)) {
    // guard: unchanged-by-digest
    const stored = some.filter(({ spot, file }) => spot.existing?.sha256 !== file.sha256);
    files.unchanged += some.length - stored.length;
    if (stored.length === 0) continue;
    const put = await putContents(context, stored);
    for (const [index, { isInNew, spot }] of stored.entries()) {
      const item = put[index]?.undo;
      // Everything in a new folder goes to the trash with it.
      // guard: all-of-a-folder-is-undone
      if (item && !isInNew) undo.items.push(item);
      files[spot.existing ? "changed" : "created"] += 1;
    }
    const done = files.created + files.changed + files.unchanged;
    context.progress({ label: "Storing", done, total, unit: "files" });
  }
  return { place: root.place, files, folders: countFolders(root, folders), undo };
}

function countFolders(root: OpenFolder, folders: OpenFolders): Counts["folders"] {
  const created = [...folders.values()].filter(({ isNew }) => isNew).length;
  return { created, unchanged: folders.size - created - (root.isNew ? 0 : 1) };
}

async function openRoot(
  context: CommandContext,
  located: Spot | Place,
  undo: ContentUndo,
): Promise<OpenFolder> {
  if (!("folder" in located)) return { place: located, isNew: false, taken: new Set() };
  const [root] = await openFolders(context, [{ spot: located, isInNew: false }], undo);
  return root as OpenFolder;
}

/** The folders of all entries, parents first: many of one depth at once. */
async function openAll(
  context: CommandContext,
  root: OpenFolder,
  top: NameNode,
  undo: ContentUndo,
): Promise<OpenFolders> {
  const open = new Map([[top, root]]);
  for (const some of byDepth(top, most.files)) {
    const asked = some.map((node) => {
      const parent = openedAt(open, node.parent);
      return { spot: newSpot(parent, node.name), isInNew: parent.isNew };
    });
    const opened = await openFolders(context, asked, undo);
    for (const [index, node] of some.entries()) open.set(node, opened[index] as OpenFolder);
  }
  return open;
}

function openedAt(open: OpenFolders, node: NameNode | undefined): OpenFolder {
  const folder = node && open.get(node);
  if (!folder) throw new Error("a folder was not opened before what is in it");
  return folder;
}

function newSpot({ place, taken }: OpenFolder, name: string): Spot {
  const spot = spotIn(place, name);
  if (taken.has(spot.name)) throw sentTwice(spot.path);
  taken.add(spot.name);
  return spot;
}

interface FolderSpot {
  spot: Spot;
  isInNew: boolean;
}

/** Creates those that do not exist. In the order of what was asked for. */
async function openFolders(
  context: CommandContext,
  asked: readonly FolderSpot[],
  undo: ContentUndo,
): Promise<OpenFolder[]> {
  const spots = await withExisting(context, asked, "folder");
  const missing = spots.filter(({ spot }) => !spot.existing);
  const made =
    missing.length === 0
      ? []
      : await makeFolders(
          context,
          missing.map(({ spot }) => spot),
        );
  const created = new Map(missing.map((each, index) => [each, made[index] as Node]));
  return spots.map((each) => {
    const { spot, isInNew } = each;
    const node = spot.existing ?? (created.get(each) as Node);
    if (!spot.existing && !isInNew) undo.items.push(creationUndo(node));
    return { place: { ...spot.folder, node, path: spot.path }, isNew: !spot.existing, taken: new Set() };
  });
}

async function* inBatches(
  context: CommandContext,
  top: NameNode,
  folders: OpenFolders,
  entries: readonly StagedEntry[],
): AsyncGenerator<(Put & { isInNew: boolean })[]> {
  let batch: (FolderSpot & Pick<Put, "file">)[] = [];
  let characters = 0;
  for (const { names, file } of entries) {
    if (!file) continue;
    const folder = openedAt(folders, folderOf(top, { names }));
    batch.push({ spot: newSpot(folder, names.at(-1) ?? ""), isInNew: folder.isNew, file });
    if (!file.isDescribed) characters += (await file.text()).text.length;
    if (batch.length < most.files && characters < most.characters) continue;
    yield await withExisting(context, batch, "file");
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield await withExisting(context, batch, "file");
}

/** With what a put would replace, which the caller must be allowed to. */
async function withExisting<Asked extends FolderSpot>(
  context: CommandContext,
  asked: readonly Asked[],
  kind: Node["kind"],
): Promise<(Asked & { spot: Spot & { existing: Node | null } })[]> {
  const old = asked.filter(({ isInNew, spot }) => !isInNew && spot.existing === undefined);
  const looked = await lookAt(
    context,
    old.map(({ spot }) => spot),
  );
  const found = new Map(old.map((each, index) => [each, looked[index] as Spot]));
  const checked = [];
  for (const each of asked) {
    const existing = each.isInNew ? null : await findReplaceable(context, found.get(each) ?? each.spot, kind);
    checked.push({ ...each, spot: { ...each.spot, existing } });
  }
  return checked;
}
