import { mostFiles } from "@svc/protocol/manifest";
import { ProblemError } from "@svc/protocol/problem";
import { hasStackedMarks } from "@svc/unicode/stacked-marks";
import type { CommandContext } from "../../../platform/commands/command-context.ts";
import { NameNode } from "../../../platform/uploads/name-tree.ts";
import type { Node } from "../files-store.ts";
import { excludes } from "../putting/select-entries.ts";
import { listBelow } from "../tree/list-below.ts";
import { addressOf, type Place } from "../tree/tree.ts";

/** Read at once. */
const most = 1_000;

/** What a caller has on their machine. */
interface LocalFolder {
  /** What will be stored, under the names it gets here. */
  entries: readonly { names: readonly string[] }[];
  exclude: string[];
  /** See `ManifestHead`. */
  leftOut: readonly string[];
}

/** What a folder has here and not on the caller's machine, as far as they can see it. */
interface OnlyRemote {
  /** Topmost nodes, each with everything below it. */
  deletable: (Place & { node: Node })[];
  /** Files and folders in all of them. */
  deleted: number;
  kept: number;
}

type Found = Node & { names: string[] };

/** Without `deletes`, everything is kept; with it, only folders that hold something excluded, as rsync does it. */
export async function findOnlyRemote(
  context: CommandContext,
  root: Place,
  local: LocalFolder,
  deletes: boolean,
): Promise<OnlyRemote> {
  const found: Found[] = [];
  const holding = new Set<string>();
  let count = 0;
  for await (const node of readOnlyRemote(context, root, local, holding)) {
    count += 1;
    if (!deletes) continue;
    if (count > mostFiles) throw tooMany(addressOf(root));
    found.push(node);
  }
  return deletes ? divide(root, found, holding) : { deletable: [], deleted: 0, kept: count };
}

/** Parents first. `holding` gets the paths of what is excluded, and of the folders above it. */
async function* readOnlyRemote(
  context: CommandContext,
  root: Place,
  local: LocalFolder,
  holding: Set<string>,
): AsyncGenerator<Found> {
  const here = localPaths(local.entries);
  const stays = staying(local);
  for (let after: string[] | undefined = []; after; ) {
    const nodes: Found[] = await listBelow(context, root, { after, limit: most });
    for (const node of nodes) {
      if (stays(node.names)) addWithFolders(holding, node.names);
      else if (!here.find(node.names)) yield node;
    }
    after = nodes.length < most ? undefined : nodes.at(-1)?.names;
  }
}

function divide(root: Place, found: readonly Found[], holding: ReadonlySet<string>): OnlyRemote {
  const going = new Set<string>();
  const deletable: OnlyRemote["deletable"] = [];
  const above = root.path === "/" ? "" : root.path;
  for (const { names, ...node } of found) {
    const path = names.join("/");
    if (holding.has(path)) continue;
    const isTopmost = !going.has(names.slice(0, -1).join("/"));
    if (isTopmost) deletable.push({ ...root, node, path: `${above}/${path}` });
    going.add(path);
  }
  return { deletable, deleted: going.size, kept: found.length - going.size };
}

function localPaths(entries: LocalFolder["entries"]): NameNode {
  const top = new NameNode();
  for (const { names } of entries) top.addAll(names.map((name) => name.normalize("NFC")));
  return top;
}

function addWithFolders(paths: Set<string>, names: readonly string[]): void {
  for (let depth = names.length; depth > 0; depth -= 1) {
    const path = names.slice(0, depth).join("/");
    if (paths.has(path)) return;
    paths.add(path);
  }
}

/** Whether something is excluded, or is on the caller's machine although it was not sent. */
function staying({ exclude, leftOut }: LocalFolder): (names: readonly string[]) => boolean {
  const isExcluded = excludes(exclude);
  const left = new Set(leftOut.filter((path) => !hasStackedMarks(path)).map((path) => path.normalize("NFC")));
  const leavesHidden = left.has(".*");
  return (names) =>
    isExcluded(names) ||
    (leavesHidden && names.some((name) => name.startsWith("."))) ||
    (left.size > 0 && names.some((_, depth) => left.has(names.slice(0, depth + 1).join("/"))));
}

function tooMany(path: string): ProblemError {
  return new ProblemError(
    "too_large",
    `More than ${mostFiles} files and folders of ${path} would be deleted.`,
    {
      hint: "Delete some of them with `svc files delete` first, or sync its subfolders one by one.",
    },
  );
}
