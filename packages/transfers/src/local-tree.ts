import { createHash, type Hash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, lstat, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "@svc/machine/failure";
import {
  deepestPath,
  longestHead,
  longestManifest,
  longestPath,
  type ManifestHead,
  type ManifestLine,
  mostEntries,
  mostFiles,
} from "@svc/protocol/manifest";

interface Found {
  dev: bigint;
  ino: bigint;
  size: bigint;
  mtimeNs: bigint;
  ctimeNs: bigint;
  isFile(): boolean;
  isDirectory(): boolean;
}

interface LocalEntry {
  /** On this machine. */
  place: string;
  line: ManifestLine;
  /** Absent for a folder. */
  file?: { size: number; identity: string };
}

const blockBytes = 1_024 * 1_024;

/** A file or folder as it was when it was announced. A file that has changed since is not sent. */
export class LocalTree {
  readonly entries: readonly LocalEntry[];
  readonly #head: ManifestHead;

  private constructor(head: ManifestHead, entries: readonly LocalEntry[]) {
    this.#head = head;
    this.entries = entries;
  }

  static ofFile(place: string, found: Found): LocalTree {
    return new LocalTree({ kind: "file" }, [entryOf(place, "", found)]);
  }

  /** In a fixed order, so that an interrupted run is found again. */
  static async ofFolder(
    folder: string,
    takes: (path: string, found: Found) => boolean,
    limits = { mostFiles, mostEntries, deepestPath, longestPath },
  ): Promise<LocalTree> {
    const entries: LocalEntry[] = [];
    const leftOut = new Set<string>();
    let files = 0;
    const walk = async (place: string, path: string, depth: number): Promise<void> => {
      for (const name of (await readdir(place)).toSorted()) {
        const [inner, below] = [join(place, name), path === "" ? name : `${path}/${name}`];
        const found = await lstat(inner, { bigint: true }).catch((error: unknown) => {
          throw notAsRead(error, inner);
        });
        if (!takes(inner, found)) {
          const stays = name.startsWith(".") ? ".*" : below;
          requireShort(stays, inner, limits.longestPath);
          leftOut.add(stays);
          continue;
        }
        // Here, because a folder may be endless.
        if (depth > limits.deepestPath) throw tooDeep(place, limits.deepestPath);
        requireShort(below, inner, limits.longestPath);
        entries.push(entryOf(inner, below, found));
        if (found.isFile()) files += 1;
        if (files > limits.mostFiles) throw tooMany(folder, `${limits.mostFiles} files`);
        if (entries.length > limits.mostEntries)
          throw tooMany(folder, `${limits.mostEntries} files and folders`);
        if (found.isDirectory()) await walk(inner, below, depth + 1);
      }
    };
    await walk(folder, "", 1);
    return new LocalTree({ kind: "folder", ...(leftOut.size > 0 ? { leftOut: [...leftOut] } : {}) }, entries);
  }

  manifest(): string {
    const [head = "", ...lines] = [this.#head, ...this.entries.map(({ line }) => line)].map(
      (line) => `${JSON.stringify(line)}\n`,
    );
    if (Buffer.byteLength(head) > longestHead) throw tooManyLeftOut();
    const text = head + lines.join("");
    if (Buffer.byteLength(text) > longestManifest) throw tooMuch();
    return text;
  }

  sizeOf(place: number): number {
    return this.#file(place).size;
  }

  async digest(place: number): Promise<string> {
    const file = await this.open(place);
    try {
      return (await file.digestTo(this.sizeOf(place))).digest("hex");
    } finally {
      await file.close();
    }
  }

  /** Refuses anything but the very file that was announced: a link put in its place, another version. */
  async open(place: number): Promise<OpenFile> {
    const { size, identity } = this.#file(place);
    const { place: path } = this.entries[place] as LocalEntry;
    // Opening a pipe that was put in its place would wait forever.
    const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const found = await handle.stat({ bigint: true });
      // guard: announced-file-alone
      if (found.isFile() && identityOf(found) === identity) return new OpenFile(handle, size, path);
      throw changed(path);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  #file(place: number): { size: number; identity: string } {
    const file = this.entries[place]?.file;
    if (file) return file;
    throw new Failure("internal", "The server asked for something that is not a file. Nothing was sent.");
  }
}

export class OpenFile {
  readonly #handle: FileHandle;
  readonly #size: number;
  readonly #path: string;

  constructor(handle: FileHandle, size: number, path: string) {
    this.#handle = handle;
    this.#size = size;
    this.#path = path;
  }

  async read(from: number, bytes: number): Promise<Buffer> {
    const block = Buffer.allocUnsafe(Math.min(bytes, this.#size - from));
    for (let at = 0; at < block.length; ) {
      const { bytesRead } = await this.#handle.read(block, at, block.length - at, from + at);
      if (bytesRead === 0) throw changed(this.#path);
      at += bytesRead;
    }
    return block;
  }

  /** Of its beginning. */
  async digestTo(end: number): Promise<Hash> {
    const hash = createHash("sha256");
    for (let at = 0; at < end; at += blockBytes)
      hash.update(await this.read(at, Math.min(blockBytes, end - at)));
    return hash;
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

function entryOf(place: string, path: string, found: Found): LocalEntry {
  if (!found.isFile()) return { place, line: [path] };
  const size = Number(found.size);
  const stamp = `${found.mtimeNs.toString(36)}.${found.ctimeNs.toString(36)}`;
  return { place, line: [path, size, stamp], file: { size, identity: identityOf(found) } };
}

function identityOf({ dev, ino, size, mtimeNs, ctimeNs }: Found): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(":");
}

/** A name that is not UTF-8 cannot be read as a text without a loss. */
function notAsRead(error: unknown, path: string): unknown {
  if ((error as NodeJS.ErrnoException).code !== "ENOENT") return error;
  if (!path.includes("\ufffd")) return changed(path);
  return new Failure("usage", `\`${path}\` has a name that is not UTF-8; nothing was sent.`, {
    hint: "Rename it.",
    cause: error,
  });
}

const piecemeal = "Nothing was sent. Send its subfolders one by one.";

function tooMany(path: string, limit: string): Failure {
  return new Failure("tooLarge", `\`${path}\` has more than ${limit}, which is the limit of one upload.`, {
    hint: piecemeal,
  });
}

function tooDeep(path: string, deepest: number): Failure {
  const limit = `more than ${deepest - 1} folders, one in another`;
  return new Failure("tooLarge", `What is in \`${path}\` would be in ${limit}.`, {
    hint: "Nothing was sent. Move that folder elsewhere, and send it by itself.",
  });
}

function requireShort(path: string, place: string, longest: number): void {
  if (Buffer.byteLength(path) <= longest) return;
  throw new Failure("tooLarge", `The path of \`${place}\` has more than ${longest} bytes.`, {
    hint: "Nothing was sent. Shorten the names of its folders, or send one of them by itself.",
  });
}

function tooMuch(): Failure {
  const limit = `${longestManifest} bytes`;
  return new Failure("tooLarge", `The paths in the folder have more than ${limit} together.`, {
    hint: piecemeal,
  });
}

function tooManyLeftOut(): Failure {
  return new Failure("tooLarge", "The folder has too many links and other special files.", {
    hint: piecemeal,
  });
}

function changed(path: string): Failure {
  return new Failure("conflict", `\`${path}\` changed while it was being sent.`, {
    hint: "Run the command again.",
  });
}
