import type { Announced, CheckedEntries } from "@svc/command-router/command";
import type { CommandContext } from "../../../platform/commands/command-context.ts";
import type { NameNode } from "../../../platform/uploads/name-tree.ts";
import type { Node } from "../files-store.ts";
import { findReplaceable, lookAt, type Spot, spotIn } from "../tree/placing.ts";
import type { Place } from "../tree/tree.ts";
import { byDepth, folderOf, foldersOf } from "./folders-of.ts";
import type { Problems } from "./problems.ts";

/** Looked up at once. */
const most = 1_000;

type Entries = Announced["entries"];
/** By entry: the digest of the existing content. */
type There = Map<number, string>;

/** The folder itself, if it exists, which the caller must be allowed to change. */
export async function findRoot(context: CommandContext, located: Spot | Place): Promise<Place | undefined> {
  if (!("folder" in located)) return located;
  const node = await findReplaceable(context, located, "folder");
  return node ? { ...located.folder, node, path: located.path } : undefined;
}

/** What selected entries of an announced folder would replace below the root, if that exists. */
export async function checkEntries(
  context: CommandContext,
  root: Place | undefined,
  all: Entries,
  selected: ReadonlyMap<number, Entries[number]>,
  problems: Problems,
): Promise<CheckedEntries> {
  const unwanted = new Set([...all.keys()].filter((place) => !selected.has(place)));
  if (!root) return { there: new Map(), unwanted };
  const entries = [...selected.values()];
  const folders = await findFolders(context, root, entries, problems);
  const found = await findFiles(context, folders, entries, problems);
  const places = [...selected.keys()];
  return { there: new Map([...found].map(([index, sha256]) => [places[index] as number, sha256])), unwanted };
}

/** Where folders are sent to that exist. */
interface Found {
  top: NameNode;
  places: ReadonlyMap<NameNode, Place>;
}

/** Asked for: something of this name in a folder that was sent. */
interface Asked {
  folder: NameNode | undefined;
  name: string;
}

async function findFolders(
  context: CommandContext,
  root: Place,
  entries: Entries,
  problems: Problems,
): Promise<Found> {
  const top = foldersOf(entries.values().map(({ names, size }) => ({ names, isFolder: size === undefined })));
  const places = new Map([[top, root]]);
  for (const some of byDepth(top, most)) {
    const asked = some.map(({ parent: folder, name }) => ({ folder, name }));
    const found = await find(context, places, asked, "folder", problems);
    for (const [index, node] of some.entries()) {
      const place = found[index];
      if (place) places.set(node, place);
    }
  }
  return { top, places };
}

async function findFiles(
  context: CommandContext,
  { top, places: folders }: Found,
  entries: Entries,
  problems: Problems,
): Promise<There> {
  const files = [...entries.entries()].filter(([, { size }]) => size !== undefined);
  const found: [number, Node][] = [];
  for (let start = 0; start < files.length; start += most) {
    const some = files.slice(start, start + most);
    const asked = some.map(([, { names }]) => ({
      folder: folderOf(top, { names }),
      name: names.at(-1) ?? "",
    }));
    const places = await find(context, folders, asked, "file", problems);
    for (const [index, [entry]] of some.entries()) {
      const node = places[index]?.node;
      if (node) found.push([entry, node]);
    }
  }
  return sameSize(found, entries);
}

/** What a put would replace; undefined where nothing exists. */
async function find(
  context: CommandContext,
  folders: ReadonlyMap<NameNode, Place>,
  asked: readonly Asked[],
  kind: Node["kind"],
  problems: Problems,
): Promise<(Place | undefined)[]> {
  const spots = await Promise.all(
    asked.map(({ folder: node, name }) => {
      const folder = node && folders.get(node);
      return folder && problems.collect(async () => spotIn(folder, name));
    }),
  );
  const looked = await lookAt(
    context,
    spots.filter((spot) => spot !== undefined),
  );
  const seenAt = looked.values();
  const found: (Place | undefined)[] = [];
  for (const spot of spots) {
    const seen = spot && seenAt.next().value;
    // guard: needs-follow-rights
    const node = seen?.existing && (await problems.collect(() => findReplaceable(context, seen, kind)));
    found.push(node ? { ...seen.folder, node, path: seen.path } : undefined);
  }
  return found;
}

export function sameSize(found: readonly [number, Node][], entries: Entries): There {
  const there: There = new Map();
  for (const [entry, { size, sha256 }] of found) {
    if (sha256 !== null && size === entries[entry]?.size) there.set(entry, sha256);
  }
  return there;
}
