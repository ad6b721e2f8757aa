import { readdir, rm } from "node:fs/promises";
import { join, relative } from "node:path";

type Kind = "file" | "folder";

/** What an interrupted run has saved, by its paths, exactly as they are written on disk. */
export class Leftovers {
  readonly #place: string;
  readonly #kinds: Map<string, Kind>;

  private constructor(place: string, kinds: Map<string, Kind>) {
    this.#place = place;
    this.#kinds = kinds;
  }

  static async in(place: string): Promise<Leftovers> {
    const entries = await readdir(place, { recursive: true, withFileTypes: true });
    const kinds = entries.map((entry): [string, Kind] => [
      relative(place, join(entry.parentPath, entry.name)),
      entry.isDirectory() ? "folder" : "file",
    ]);
    return new Leftovers(place, new Map(kinds));
  }

  /** Whether this one is among them, asked once. What has its name but is of another kind is removed. */
  async has(path: string, kind: Kind): Promise<boolean> {
    const found = this.#kinds.get(path);
    this.#kinds.delete(path);
    if (found !== undefined && found !== kind) await rm(join(this.#place, path), { recursive: true });
    return found === kind;
  }

  /** What nobody asked about is no longer in the folder. */
  async removeRest(): Promise<void> {
    for (const path of this.#kinds.keys()) {
      await rm(join(this.#place, path), { recursive: true, force: true });
    }
  }
}
