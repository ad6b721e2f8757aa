import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { type ManifestHead, mostFiles } from "@svc/protocol/manifest";
import { ProblemError } from "@svc/protocol/problem";
import { parsedJson } from "@svc/protocol/shape";

/** What a caller is about to send: a file, or a folder with everything in it. */
export interface SentManifest {
  /** Changes with every name, size and stamp. */
  id: string;
  isFolder: boolean;
  entries: readonly SentEntry[];
  /** See `ManifestHead`. */
  leftOut: readonly string[];
}

export interface SentEntry {
  /** Relative to the folder; empty for a file that was named itself. */
  names: readonly string[];
  /** Absent for a folder. */
  size?: number;
  /** Names the staged content: another size or stamp is another content. */
  key: string;
}

const mostBytes = 64 * 1024 ** 2;
const longestPath = 20_000;

/** Checks its form only; whether its names and sizes can be stored is for the command to say. */
export async function parseManifest(content: Readable): Promise<{ text: string; manifest: SentManifest }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of content.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mostBytes) {
      content.resume();
      throw tooMany();
    }
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString("utf8");
  return { text, manifest: readManifest(text) };
}

export function readManifest(text: string): SentManifest {
  const [first = "", ...lines] = text.split("\n");
  if (lines.pop() !== "") throw malformed("it ends in the middle of a line");
  const head = parsedJson(first) as Partial<ManifestHead> | undefined;
  const isFolder = head?.kind === "folder";
  if (!isFolder && head?.kind !== "file") throw malformed("its first line must say what it is");
  if (!isFolder && lines.length !== 1) throw malformed("a file has one line");
  const entries = lines.map((line) => readLine(line, isFolder));
  if (entries.filter(({ size }) => size !== undefined).length > mostFiles) throw tooMany();
  const leftOut = readLeftOut(head.leftOut ?? []);
  return { id: createHash("sha256").update(text).digest("hex"), isFolder, entries, leftOut };
}

function readLeftOut(paths: readonly unknown[]): string[] {
  const isPath = (path: unknown): path is string => typeof path === "string" && path.length <= longestPath;
  if (Array.isArray(paths) && paths.length <= mostFiles && paths.every(isPath)) return paths;
  throw malformed("its first line must name what was left out");
}

function readLine(line: string, isInFolder: boolean): SentEntry {
  const [path, size, stamp, ...more] = asList(parsedJson(line));
  if (typeof path !== "string" || path.length > longestPath || more.length > 0) throw malformed(line);
  const names = path === "" ? [] : path.split("/");
  if (isInFolder === (names.length === 0) || names.some(isNoName)) throw malformed(line);
  const key = createHash("sha256").update(line).digest("hex").slice(0, 32);
  if (size === undefined && stamp === undefined && isInFolder) return { names, key };
  if (!isSize(size) || typeof stamp !== "string" || stamp.length > 100) throw malformed(line);
  return { names, size, key };
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
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

function tooMany(): ProblemError {
  return new ProblemError("too_large", `A folder can have at most ${mostFiles} files.`, {
    hint: "Send its subfolders one by one.",
  });
}
