import { readdir } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { Failure } from "../failure.ts";
import { foldedName } from "./safe-name.ts";

/** The names by which git takes a folder for a repository without `.git`, and those that make it run programs there. */
export type GitPart = "head" | "commondir" | "config" | "config.worktree" | "objects" | "refs" | "hooks";

const files: readonly string[] = ["head", "commondir", "config", "config.worktree"];
const others: readonly string[] = ["objects", "refs", "hooks"];

/** What git would take it for, on any file system. */
export function gitPartOf(name: string, isFolder: boolean): GitPart | undefined {
  const folded = foldedName(name);
  const isPart = others.includes(folded) || (!isFolder && files.includes(folded));
  return isPart ? (folded as GitPart) : undefined;
}

/** A file of a repository itself, not of one of its folders. */
export function isGitFile(part: GitPart): boolean {
  return files.includes(part);
}

/** Whether git takes a folder with these for a repository. The objects may be where `commondir` says. */
export function isGitFolder(parts: ReadonlySet<GitPart>): boolean {
  // guard: folders-of-git-are-known
  return parts.has("head") && (parts.has("commondir") || (parts.has("objects") && parts.has("refs")));
}

/** Those that are in a folder of this machine, which may not be there. */
export async function gitPartsIn(folder: string): Promise<Set<GitPart>> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw error;
    return [];
  });
  return new Set(entries.flatMap((entry) => gitPartOf(entry.name, entry.isDirectory()) ?? []));
}

/** Refuses a name that the person has not chosen where it would be one of a repository's. */
export async function refuseGitPart(place: string, isFolder: boolean): Promise<void> {
  const name = basename(place);
  const part = gitPartOf(name, isFolder);
  if (part === undefined) return;
  const parts = await gitPartsIn(dirname(place));
  if (!isGitFolder(parts.add(part))) return;
  throw new Failure(
    "usage",
    `With \`${name}\` git would run programs in the folder into which it is saved. Nothing was saved.`,
    { hint: "Choose another name with --output." },
  );
}
