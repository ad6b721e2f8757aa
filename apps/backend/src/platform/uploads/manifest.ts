import { createHash } from "node:crypto";
import {
  deepestPath,
  longestHead,
  longestLine,
  longestManifest,
  longestPath,
  type ManifestHead,
  mostEntries,
  mostFiles,
} from "@svc/protocol/manifest";
import { ProblemError } from "@svc/protocol/problem";
import { parsedJson } from "@svc/protocol/shape";
import { NameNode } from "./name-tree.ts";

/** What a caller is about to send: a file, or a folder with everything in it. */
export interface SentManifest {
  /** Changes with every name, size and stamp. */
  id: string;
  isFolder: boolean;
  entries: readonly SentEntry[];
  /** See `ManifestHead`. */
  leftOut: readonly string[];
  /** About so many bytes of memory. */
  memory: number;
}

export interface SentEntry {
  /** Relative to the folder; empty for a file that was named itself. */
  names: readonly string[];
  /** Absent for a folder. */
  size?: number;
  /** Names the staged content: another size or stamp is another content. */
  key: string;
}

/** Names that entries share are kept once. */
class ReadEntry implements SentEntry {
  readonly key: string;
  declare readonly size?: number;
  readonly #node: NameNode;

  constructor(node: NameNode, key: string, size: number | undefined) {
    this.#node = node;
    this.key = key;
    if (size !== undefined) this.size = size;
  }

  get names(): readonly string[] {
    return this.#node.names;
  }
}

/** Measured for entries with their node, key and name. */
const memoryOfEntry = 300;

/**
 * Line by line as it arrives, and no further than the first line above a limit. Checks its form only; whether its names
 * and sizes can be stored is for the command to say.
 */
export async function readManifest(content: AsyncIterable<Buffer>): Promise<SentManifest> {
  const hash = createHash("sha256");
  const draft = new Draft();
  let bytes = 0;
  let rest: Buffer = Buffer.alloc(0);
  for await (const block of content) {
    bytes += block.length;
    if (bytes > longestManifest) throw tooMuch();
    hash.update(block);
    const end = block.lastIndexOf(10);
    const whole = end < 0 ? "" : Buffer.concat([rest, block.subarray(0, end)]).toString("utf8");
    if (end >= 0) for (const line of whole.split("\n")) draft.add(line);
    rest = end < 0 ? Buffer.concat([rest, block]) : block.subarray(end + 1);
    draft.requireShort(rest);
  }
  if (rest.length > 0) throw malformed("it ends in the middle of a line");
  return draft.finish(hash.digest("hex"), bytes);
}

/** A manifest whose lines are still coming. */
class Draft {
  readonly #top = new NameNode();
  readonly #entries: SentEntry[] = [];
  #head: Pick<SentManifest, "isFolder" | "leftOut"> | undefined;
  #files = 0;
  /** In the folder: also those folders that only paths name. */
  #places = 0;

  /** The beginning of a line, or all of it. */
  requireShort({ length }: string | Buffer): void {
    if (!this.#head && length > longestHead) throw tooLongHead();
    if (this.#head && length > longestLine) throw tooLong();
  }

  add(line: string): void {
    this.requireShort(line);
    if (!this.#head) {
      this.#head = readHead(line);
      return;
    }
    const { names, key, size } = readLine(line, this.#head.isFolder);
    this.#entries.push(new ReadEntry(this.#placeOf(names), key, size));
    if (size !== undefined) this.#files += 1;
    if (!this.#head.isFolder && this.#entries.length > 1) throw malformed("a file has one line");
    // guard: most-files
    if (this.#files > mostFiles) throw tooMany(`${mostFiles} files`);
    // guard: most-entries
    if (this.#count > mostEntries) throw tooMany(`${mostEntries} files and folders`);
  }

  finish(id: string, bytes: number): SentManifest {
    const { isFolder, leftOut } = this.#head ?? readHead();
    if (!isFolder && this.#entries.length !== 1) throw malformed("a file has one line");
    const memory = bytes + memoryOfEntry * this.#count;
    return { id, isFolder, entries: this.#entries, leftOut, memory };
  }

  get #count(): number {
    // guard: all-places-count
    return Math.max(this.#places, this.#entries.length);
  }

  #placeOf(names: readonly string[]): NameNode {
    let node = this.#top;
    for (const name of names) {
      if (!node.child(name)) this.#places += 1;
      node = node.add(name);
    }
    return node;
  }
}

function readHead(line = ""): Pick<SentManifest, "isFolder" | "leftOut"> {
  const head = parsedJson(line) as Partial<ManifestHead> | undefined;
  const isFolder = head?.kind === "folder";
  if (!isFolder && head?.kind !== "file") throw malformed("its first line must say what it is");
  return { isFolder, leftOut: readLeftOut(head.leftOut ?? []) };
}

function readLeftOut(paths: readonly unknown[]): string[] {
  const isPath = (path: unknown): path is string => typeof path === "string" && isShort(path);
  if (Array.isArray(paths) && paths.length <= mostEntries && paths.every(isPath)) return paths;
  throw malformed("its first line must name what was left out");
}

function readLine(line: string, isInFolder: boolean): { names: string[]; key: string; size?: number } {
  const [path, size, stamp, ...more] = asList(parsedJson(line));
  if (typeof path !== "string" || more.length > 0) throw malformed(line);
  // guard: longest-path
  if (!isShort(path)) throw tooLong();
  const names = path === "" ? [] : path.split("/");
  // guard: deepest-path
  if (names.length > deepestPath) throw tooDeep(names);
  if (isInFolder === (names.length === 0) || names.some(isNoName)) throw malformed(line);
  const key = createHash("sha256").update(line).digest("hex").slice(0, 32);
  if (size === undefined && stamp === undefined && isInFolder) return { names, key };
  if (!isSize(size) || typeof stamp !== "string" || stamp.length > 100) throw malformed(line);
  return { names, size, key };
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function isShort(path: string): boolean {
  return Buffer.byteLength(path) <= longestPath;
}

/** These would lead elsewhere. The command checks names in full. */
function isNoName(name: string): boolean {
  return name === ".." || name === "." || name === "";
}

function isSize(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function malformed(what: string): ProblemError {
  return new ProblemError("invalid_request", `The manifest cannot be read: ${what.slice(0, 200)}.`);
}

const piecemeal = "Send its subfolders one by one.";

function tooMany(limit: string): ProblemError {
  return new ProblemError("too_large", `A folder can have at most ${limit}.`, { hint: piecemeal });
}

export function tooMuch(): ProblemError {
  return new ProblemError("too_large", `The paths of a folder can have at most ${longestManifest} bytes.`, {
    hint: piecemeal,
  });
}

function tooLongHead(): ProblemError {
  return new ProblemError("too_large", "Too many links and other special files are in the folder.", {
    hint: piecemeal,
  });
}

function tooLong(): ProblemError {
  return new ProblemError("too_large", `A path in a folder can have at most ${longestPath} bytes.`, {
    hint: "Shorten its names, or send the folder that it is in by itself.",
  });
}

function tooDeep(names: readonly string[]): ProblemError {
  const start = names.slice(0, 3).join("/").slice(0, 200);
  return new ProblemError(
    "too_large",
    `Something in \`${start}\` is in more than ${deepestPath - 1} folders, one in another.`,
    { hint: "Send one of these folders by itself." },
  );
}
