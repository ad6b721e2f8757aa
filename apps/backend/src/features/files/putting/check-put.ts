import type { Announced, CheckedEntries } from "@svc/command-router/command";
import { ProblemError } from "@svc/protocol/problem";
import type { CommandContext } from "../../../platform/commands/command-context.ts";
import type { Node } from "../files-store.ts";
import { requireName } from "../tree/path.ts";
import {
  findMissing,
  findReplaceable,
  locateTarget,
  locateTree,
  lookAt,
  requirePutTarget,
  spotIn,
} from "../tree/placing.ts";
import type { Place } from "../tree/tree.ts";
import { foldersByDepth } from "./put-folder.ts";
import { type Selecting, selectEntries } from "./select-entries.ts";
import { sentTwice } from "./sent-twice.ts";

/** Looked up at once. */
const most = 1_000;
/** Named in one message. */
const mostNamed = 100;

/** By entry: the digest of the existing content. */
type There = Map<number, string>;

export interface PutOptions extends Selecting {
  target: string;
  name: string;
  /** Creates missing folders on the way. */
  parents: boolean;
}

/**
 * Everything that can be said about a put before its contents are sent: target, rights, names. All problems come at
 * once. Returns existing contents that may be the same, and what will not be stored.
 */
export async function checkPut(
  context: CommandContext,
  options: PutOptions,
  announced: Announced | undefined,
): Promise<CheckedEntries> {
  const { target, name, parents } = options;
  const isNew = parents && (await findMissing(context, target)) !== undefined;
  if (!announced) {
    if (!isNew) await requirePutTarget(context, target, name);
    return nothing;
  }
  const { entries } = announced;
  if (!announced.isFolder) {
    if (isNew) return nothing;
    const existing = await findReplaceable(context, await locateTarget(context, target, name), "file");
    return existing ? { ...nothing, there: sameSize([[0, existing]], entries) } : nothing;
  }
  const selected = selectEntries(entries, options);
  const unwanted = new Set([...entries.keys()].filter((place) => !selected.has(place)));
  const places = [...selected.keys()];
  const located = isNew ? undefined : await locateTree(context, target, name);
  const found = await checkFolder(context, located, [...selected.values()]);
  const there = new Map([...found].map(([index, sha256]) => [places[index] as number, sha256]));
  return { there, unwanted };
}

const nothing: CheckedEntries = { there: new Map(), unwanted: new Set() };

async function checkFolder(
  context: CommandContext,
  /** Undefined if its folder does not exist yet. */
  located: Awaited<ReturnType<typeof locateTree>> | undefined,
  entries: Announced["entries"],
): Promise<There> {
  const problems = new Problems();
  for (const { names } of entries) problems.checkNames(names);
  problems.throwAny();
  problems.checkTwice(entries);
  problems.throwAny();
  if (!located) return new Map();
  const existing = "folder" in located ? await findReplaceable(context, located, "folder") : located.node;
  if (!existing) return new Map();
  const root: Place =
    "folder" in located ? { ...located.folder, node: existing, path: located.path } : located;
  const folders = await findFolders(context, root, entries, problems);
  const there = await findFiles(context, folders, entries, problems);
  problems.throwAny();
  return there;
}

/** Those that exist, by their names. */
async function findFolders(
  context: CommandContext,
  root: Place,
  entries: Announced["entries"],
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
  entries: Announced["entries"],
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
    const node = seen?.existing && (await problems.collect(() => findReplaceable(context, seen, kind)));
    found.push(node ? { ...seen.folder, node, path: seen.path } : undefined);
  }
  return found;
}

function sameSize(found: readonly [number, Node][], entries: Announced["entries"]): There {
  const there: There = new Map();
  for (const [entry, { size, sha256 }] of found) {
    if (sha256 !== null && size === entries[entry]?.size) there.set(entry, sha256);
  }
  return there;
}

/** Collects what is wrong with entries, so that a person learns all of it at once. */
class Problems {
  #found: ProblemError[] = [];

  checkNames(names: readonly string[]): void {
    // A folder is named once, with the first entry in it.
    for (const name of names) {
      if (this.#checked.has(name)) continue;
      this.#checked.add(name);
      this.#try(() => requireName(name));
    }
  }

  checkTwice(entries: Announced["entries"]): void {
    const seen = new Set<string>();
    const folders = foldersByDepth(
      entries.map(({ names, size }) => ({ names, isFolder: size === undefined })),
    );
    const files = entries.filter(({ size }) => size !== undefined).map(({ names }) => names);
    for (const names of [...folders.flat(), ...files]) {
      const path = names.join("/").normalize("NFC");
      if (seen.has(path)) this.#found.push(sentTwice(path));
      seen.add(path);
    }
  }

  /** Undefined if it fails with a problem. */
  async collect<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      this.#found.push(error);
      return undefined;
    }
  }

  throwAny(): void {
    const [first, ...others] = this.#found;
    if (!first) return;
    if (others.length === 0) throw first;
    const messages = [...new Set(this.#found.map(({ message }) => message))];
    const lines = messages.slice(0, mostNamed).map((message) => `\n  ${message}`);
    const more = messages.length > mostNamed ? `\n  and ${messages.length - mostNamed} more` : "";
    throw new ProblemError(
      first.code,
      `${messages.length} problems; nothing was sent.${lines.join("")}${more}`,
      {
        ...(first.hint === undefined ? {} : { hint: first.hint }),
        violations: messages.map((message) => ({ argument: "source", message })),
      },
    );
  }

  readonly #checked = new Set<string>();

  #try(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      this.#found.push(error);
    }
  }
}
