import { basename } from "node:path";
import type { OwnFiles } from "./own-files.ts";

interface Found {
  dev: number | bigint;
  ino: number | bigint;
  isFile(): boolean;
  isDirectory(): boolean;
}

/**
 * The entries of a folder that are not sent. Kept by path: a folder that is reread after an interruption skips the same
 * ones.
 */
export class LeftBehind {
  readonly #folder: string;
  readonly #own: OwnFiles;
  readonly #sendsHidden: boolean;
  readonly #entries = new Map<string, "hidden" | "own" | "special">();

  constructor(folder: string, own: OwnFiles, { sendsHidden }: { sendsHidden: boolean }) {
    this.#folder = folder;
    this.#own = own;
    this.#sendsHidden = sendsHidden;
  }

  takes(path: string, found: Found): boolean {
    const why = this.#reason(path, found);
    if (why) this.#entries.set(path, why);
    return why === undefined;
  }

  /** For the person whose files they are. */
  remarks(): string[] {
    const pathsOf = (reason: string) => [...this.#entries].filter(([, why]) => why === reason);
    const hidden = pathsOf("hidden").length;
    const names = hidden === 1 ? "1 entry whose name begins" : `${hidden} entries whose names begin`;
    return [
      ...pathsOf("special").map(([path]) => `${path} is neither a file nor a folder and stays behind`),
      ...pathsOf("own").map(([path]) => `${path} belongs to svc itself and stays behind`),
      ...(hidden > 0 ? [`left out ${names} with a dot; to send all, write file:${this.#folder}`] : []),
    ];
  }

  #reason(path: string, found: Found) {
    if (this.#own.has(found)) return "own";
    if (!this.#sendsHidden && basename(path).startsWith(".")) return "hidden";
    // A link may lead out of the folder that was named.
    return found.isFile() || found.isDirectory() ? undefined : "special";
  }
}
