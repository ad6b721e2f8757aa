import type { Announced, Checked, CheckedEntries } from "@svc/command-router/command";
import type { CommandContext } from "../../../platform/commands/command-context.ts";
import { findMissing, findReplaceable } from "../tree/placing.ts";
import { checkEntries, findRoot, sameSize } from "./check-folder.ts";
import { Problems } from "./problems.ts";
import { type Selecting, selectEntries } from "./select-entries.ts";
import { locateSources, mayMakeFolders, type Places, type Source, type Sources } from "./sources.ts";

type Entries = Announced["entries"];

/** A source, and what is known of it. */
interface Known extends Source {
  announced: Announced | undefined;
  /** For a folder. */
  selected?: ReadonlyMap<number, Entries[number]>;
}

/**
 * Everything that can be said about a put before its contents are sent: target, rights, names. All problems come at
 * once. Returns existing contents that may be the same, and what will not be stored.
 */
export async function checkPut(
  context: CommandContext,
  options: Sources & Selecting,
  announced: ReadonlyMap<string, Announced>,
): Promise<Checked> {
  const { sources, target } = options;
  const problems = new Problems();
  const isNew = mayMakeFolders(options) && (await findMissing(context, target)) !== undefined;
  if (sources.length > 1) problems.checkNames(sources.map(({ name }) => name));
  const known = sources.map((source) => select(source, announced.get(source.path), options));
  problems.checkEntries(...known.flatMap(({ selected }) => (selected ? [[...selected.values()]] : [])));
  const places = isNew ? undefined : await locateSources(context, options);
  const checked = new Map<string, CheckedEntries>();
  for (const source of known) {
    const found = await problems.collect(() => checkSource(context, source, places, problems));
    if (found) checked.set(source.path, found);
  }
  problems.throwAny();
  return checked;
}

function select(source: Source, announced: Announced | undefined, selecting: Selecting): Known {
  if (!announced?.isFolder) return { ...source, announced };
  return { ...source, announced, selected: selectEntries(announced.entries, selecting) };
}

async function checkSource(
  context: CommandContext,
  { name, announced, selected }: Known,
  /** Undefined if their folder does not exist yet. */
  places: Places | undefined,
  problems: Problems,
): Promise<CheckedEntries> {
  if (!announced) {
    // A file or a folder: an existing folder takes either.
    const located = await places?.ofFolder(name);
    if (located && "folder" in located) await findReplaceable(context, located);
    return nothing;
  }
  const { entries } = announced;
  if (selected) {
    const root = places && (await findRoot(context, await places.ofFolder(name)));
    return checkEntries(context, root, entries, selected, problems);
  }
  const existing = places && (await findReplaceable(context, await places.ofFile(name), "file"));
  return existing ? { ...nothing, there: sameSize([[0, existing]], entries) } : nothing;
}

const nothing: CheckedEntries = { there: new Map(), unwanted: new Set() };
