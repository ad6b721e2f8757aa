import { basename } from "node:path";
import { localPath } from "@svc/protocol/local-path";
import { ProblemError } from "@svc/protocol/problem";
import type { CommandContext } from "../../../platform/commands/command-context.ts";
import type { TreeLock } from "../../workspaces/workspaces.ts";
import { locateTarget, locateTree, type Spot, spotIn } from "../tree/placing.ts";
import { locateFolder, type Place } from "../tree/tree.ts";

/** What a caller puts somewhere. */
export interface Source {
  /** As typed. */
  path: string;
  name: string;
}

export interface Sources {
  sources: readonly Source[];
  target: string;
  /** Creates missing folders on the way. */
  parents: boolean;
}

/** Where sources go: one may be the target itself, several go into the target under their own names. */
export interface Places {
  /** The target of several. */
  folder?: Place;
  ofFile(name: string): Promise<Spot>;
  ofFolder(name: string): Promise<Spot | Place>;
}

export function toSources(paths: readonly string[]): Source[] {
  const sources = paths.map((path) => ({ path, name: basename(localPath(path)) }));
  if (sources.length > 1) requireNames(sources);
  return sources;
}

function requireNames(sources: readonly Source[]): void {
  const seen = new Set<string>();
  for (const { path, name } of sources) {
    if (path === "-") throw new ProblemError("usage", "Standard input has no file name; put it on its own.");
    const normal = name.normalize("NFC");
    if (seen.has(normal)) {
      throw new ProblemError("conflict", `Two of these are named \`${normal}\`.`, {
        hint: "Put them into different folders, or rename one.",
      });
    }
    seen.add(normal);
  }
}

/** Whether missing folders are created. Of several sources, only a slash shows that the target is a folder. */
export function mayMakeFolders({ sources, target, parents }: Sources): boolean {
  return parents && (sources.length === 1 || target.endsWith("/"));
}

export async function locateSources(
  context: CommandContext,
  { sources, target }: Sources,
  lock?: TreeLock,
): Promise<Places> {
  if (sources.length === 1) {
    return {
      ofFile: (name) => locateTarget(context, target, name, lock),
      ofFolder: (name) => locateTree(context, target, name, lock),
    };
  }
  const folder = await locateFolder(context, target, lock);
  const into = async (name: string) => spotIn(folder, name);
  return { folder, ofFile: into, ofFolder: into };
}
