import type { Announced, CheckedEntries } from "@svc/command-router/command";
import { ProblemError } from "@svc/protocol/problem";
import type { CommandContext } from "../../../platform/commands/command-context.ts";
import { checkEntries, findRoot } from "../putting/check-folder.ts";
import { Problems } from "../putting/problems.ts";
import { type Selecting, selectEntries } from "../putting/select-entries.ts";
import { requireDeletable } from "../trash/delete-all.ts";
import { asFolder, findMissing, locateWhole } from "../tree/placing.ts";
import type { Place } from "../tree/tree.ts";
import { findOnlyRemote } from "./only-remote.ts";

interface SyncOptions extends Selecting {
  source: string;
  target: string;
  delete: boolean;
  parents: boolean;
}

/** Everything that can be said about a sync before its contents are sent; all problems at once. */
export async function checkSync(
  context: CommandContext,
  options: SyncOptions,
  announced: Announced | undefined,
): Promise<CheckedEntries | undefined> {
  const { source } = options;
  if (source === "-" || announced?.isFolder === false) throw notAFolder(source);
  const root = await findTarget(context, options);
  if (!announced) return undefined;
  const { entries, leftOut = [] } = announced;
  const problems = new Problems();
  const selected = selectEntries(entries, options);
  problems.checkEntries([...selected.values()]);
  const checked = await checkEntries(context, root, entries, selected, problems);
  if (root && options.delete) {
    const local = { entries: [...selected.values()], exclude: options.exclude, leftOut };
    const { deletable } = await findOnlyRemote(context, root, local, true);
    for (const place of deletable) problems.check(() => requireDeletable(place));
  }
  problems.throwAny();
  return checked;
}

/** Undefined if it does not exist yet, and can be created. */
async function findTarget(
  context: CommandContext,
  { target, parents }: SyncOptions,
): Promise<Place | undefined> {
  if (parents && (await findMissing(context, asFolder(target)))) return undefined;
  return findRoot(context, await locateWhole(context, target));
}

export function notAFolder(source: string): ProblemError {
  return new ProblemError("usage", `\`${source}\` is not a folder.`, {
    hint: "To upload a file, use `svc files put`.",
  });
}
