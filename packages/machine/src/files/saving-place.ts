import type { Stats } from "node:fs";
import { chmod, link, lstat, open, readdir, realpath, rename } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { Failure } from "../failure.ts";
import { homeFolder } from "./home-folder.ts";

type Kind = "file" | "folder";

/**
 * Where a download is saved. It replaces nothing, unless the person says so: then a file replaces a file, and what comes
 * in a folder replaces what has its name in the folder that is there. Links are neither followed nor replaced.
 */
export class SavingPlace {
  readonly path: string;
  readonly #replaces: boolean;

  constructor(path: string, { replaces }: { replaces: boolean }) {
    // A slash at the end would follow a link.
    this.path = join(dirname(path), basename(path));
    this.#replaces = replaces;
  }

  /** Refuses if something is in the way of it or of an entry of it. Returns what would be replaced. */
  async requireRoom(kind: Kind, below = ""): Promise<Stats | undefined> {
    const path = join(this.path, below);
    const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    });
    if (!found) return undefined;
    if (!this.#replaces) throw taken(path);
    if (kind === "file" ? found.isFile() : found.isDirectory()) return found;
    throw new Failure("conflict", `${path} is ${kindOf(found)}; a ${kind} does not replace it.`, {
      hint: "Choose another location with --output.",
    });
  }

  /** Hidden files there are run by shells: a server must not choose them. */
  async refuseHome(environment: NodeJS.ProcessEnv): Promise<void> {
    const [home, place] = [await realOrGiven(homeFolder(environment)), await realOrGiven(this.path)];
    if (/^\.\.(\/|$)/.test(relative(place, home))) return;
    throw new Failure("usage", "Nothing is merged into your home folder or a folder that contains it.", {
      hint: "Choose another location with --output.",
    });
  }

  async takeFile(content: string): Promise<void> {
    if (this.#replaces) return replace(content, this.path, await this.requireRoom("file"));
    // A plain rename would replace a file that came meanwhile.
    try {
      await link(content, this.path);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // Some file systems have no links.
      if (code !== "EPERM" && code !== "ENOTSUP" && code !== "EOPNOTSUPP") throw error;
      await (await open(this.path, "wx")).close();
      await rename(content, this.path);
    }
  }

  async takeFolder(content: string): Promise<void> {
    if (!(await this.requireRoom("folder"))) return rename(content, this.path);
    // Everything is checked before anything is replaced.
    const merged = [];
    for await (const entry of this.#merged(content)) merged.push(entry);
    for (const { kind, path } of merged) {
      await replace(join(content, path), join(this.path, path), await this.requireRoom(kind, path));
    }
  }

  /** The entries that are moved. A folder that is not there yet comes as a whole. */
  async *#merged(content: string, below = ""): AsyncGenerator<{ kind: Kind; path: string }> {
    for (const entry of await readdir(join(content, below), { withFileTypes: true })) {
      const [kind, path]: [Kind, string] = [entry.isDirectory() ? "folder" : "file", join(below, entry.name)];
      const found = await this.requireRoom(kind, path);
      if (found?.isDirectory()) yield* this.#merged(content, path);
      else yield { kind, path };
    }
  }
}

export function taken(place: string): Failure {
  return new Failure("conflict", `${place} already exists; nothing was overwritten.`, {
    hint: "Choose another location with --output, or replace it with --force.",
  });
}

/** At once: others see the old content or the new one. It stays as private as it was. */
async function replace(content: string, path: string, found: Stats | undefined): Promise<void> {
  if (found) await chmod(content, found.mode & 0o777);
  await rename(content, path);
}

function kindOf(found: Stats): string {
  if (found.isSymbolicLink()) return "a link";
  if (found.isDirectory()) return "a folder";
  return found.isFile() ? "a file" : "neither a file nor a folder";
}

function realOrGiven(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path));
}
