import { join } from "node:path";
import { type GitPart, gitPartOf, gitPartsIn, isGitFile, isGitFolder } from "@svc/machine/files/git-folder";
import { foldedName } from "@svc/machine/files/safe-name";
import type { Entry } from "./folder-pages.ts";

/** A folder of which an entry may be a part, if git takes it for a repository. */
interface Suspect {
  /** Folded, as some file system would find it. */
  key: string;
  local: ReadonlySet<GitPart>;
}

/**
 * The entries that could make a repository of a folder, or a program run in one. They wait until all names are known:
 * whether a folder is a repository depends on its other names, and on what is on this machine already.
 */
export class GitEntries {
  readonly #target: string | undefined;
  readonly #held: { entry: Entry; suspects: Suspect[] }[] = [];
  readonly #parts = new Map<string, Set<GitPart>>();
  readonly #local = new Map<string, Promise<ReadonlySet<GitPart>>>();

  /** Into what it will be merged, if that is there. */
  constructor(target: string | undefined) {
    this.#target = target;
  }

  /** Those that need not wait. */
  async others<Given extends Entry>(entries: readonly Given[]): Promise<Given[]> {
    const free: Given[] = [];
    for (const entry of entries) {
      const suspects = await this.#suspectsOf(entry);
      if (suspects.length === 0) free.push(entry);
      else this.#held.push({ entry, suspects });
    }
    return free;
  }

  /** Once all names are known. */
  sorted(): { wanted: Entry[]; left: Entry[] } {
    const wanted: Entry[] = [];
    const left: Entry[] = [];
    for (const { entry, suspects } of this.#held) {
      (suspects.some((suspect) => this.#isRepository(suspect)) ? left : wanted).push(entry);
    }
    return { wanted, left };
  }

  async #suspectsOf({ parts, size }: Entry): Promise<Suspect[]> {
    const suspects = [];
    for (const [depth, name] of parts.entries()) {
      const part = gitPartOf(name, depth < parts.length - 1 || size === undefined);
      if (part === undefined) continue;
      const above = parts.slice(0, depth);
      const key = above.map(foldedName).join("/");
      this.#parts.set(key, (this.#parts.get(key) ?? new Set()).add(part));
      const local = await this.#localParts(above);
      // Without its HEAD a folder is not a repository, unless that exists already.
      if (isGitFile(part) || local.has("head")) suspects.push({ key, local });
    }
    return suspects;
  }

  #isRepository({ key, local }: Suspect): boolean {
    // guard: local-files-count
    return isGitFolder(new Set([...local, ...(this.#parts.get(key) ?? [])]));
  }

  async #localParts(folder: readonly string[]): Promise<ReadonlySet<GitPart>> {
    if (this.#target === undefined) return new Set();
    const path = join(this.#target, ...folder);
    const found = this.#local.get(path) ?? gitPartsIn(path);
    this.#local.set(path, found);
    return found;
  }
}
