import type { Announced, CheckedEntries } from "@svc/command-router/command";
import type { CommandContext } from "../../../platform/commands/command-context.ts";
import type { Node } from "../files-store.ts";
import { findReplaceable, lookAt, type Spot, spotIn } from "../tree/placing.ts";
import type { Place } from "../tree/tree.ts";
import type { Problems } from "./problems.ts";
import { foldersByDepth } from "./put-folder.ts";

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

/** Those that exist, by their names. */
async function findFolders(
  context: CommandContext,
  root: Place,
  entries: Entries,
  problems: Problems,
): Promise<ReadonlyMap<string, Place>> {
  const found = new Map([["", root]]);
  const all = entries.map(({ names, size }) => ({ names, isFolder: size === undefined }));
  for (const ofDepth of foldersByDepth(all)) {
    const places = await find(context, found, ofDepth, "folder", problems);
    for (const [index, names] of ofDepth.entries()) {
      const place = places[index];
      if (place) found.set(names.join("/"), place);
    }
  }
  return found;
}

async function findFiles(
  context: CommandContext,
  folders: ReadonlyMap<string, Place>,
  entries: Entries,
  problems: Problems,
): Promise<There> {
  const files = [...entries.entries()].filter(([, { size }]) => size !== undefined);
  const found: [number, Node][] = [];
  for (let start = 0; start < files.length; start += most) {
    const some = files.slice(start, start + most);
    const asked = some.map(([, { names }]) => names);
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
  folders: ReadonlyMap<string, Place>,
  asked: readonly (readonly string[])[],
  kind: Node["kind"],
  problems: Problems,
): Promise<(Place | undefined)[]> {
  const spots = await Promise.all(
    asked.map((names) => {
      const folder = folders.get(names.slice(0, -1).join("/"));
      return folder && problems.collect(async () => spotIn(folder, names.at(-1) ?? ""));
    }),
  );
  const looked = await lookAt(
    context,
    spots.filter((spot) => spot !== undefined),
  );
  const byPath = new Map(looked.map((spot) => [spot.path, spot]));
  const found: (Place | undefined)[] = [];
  for (const spot of spots) {
    const seen = spot && byPath.get(spot.path);
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
