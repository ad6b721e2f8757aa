import { randomUUID } from "node:crypto";
import { readdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SentEntry } from "./manifest.ts";
import { absent } from "./piece-writer.ts";

/** What a name in the folder says: the entry that it belongs to, with the digest if it is complete. */
interface KnownName {
  key: string;
  sha256?: string;
}

/**
 * Where the parts of one upload are in the folder of its call. Names of the caller never become paths: an entry has a key,
 * and its content is complete when its digest is in its name.
 */
export class TreeFolder {
  readonly path: string;
  readonly #upload: number;

  constructor(path: string, upload: number) {
    this.path = path;
    this.#upload = upload;
  }

  manifest(id: string): string {
    return this.#place(`${id}.manifest`);
  }

  /** A manifest that nobody knows the id of yet; another one that arrives does not remove it. */
  arriving(): string {
    return join(this.path, `arriving-${this.#upload}-${randomUUID()}`);
  }

  digests(id: string): string {
    return this.#place(`${id}.digests`);
  }

  /** Exists if contents may come. */
  openMark(id: string): string {
    return this.#place(`${id}.open`);
  }

  /** Says for how many bytes room is kept. */
  claimMark(id: string, bytes: number): string {
    return this.#place(`${id}.claims-${bytes}`);
  }

  async claims(id: string): Promise<string[]> {
    const start = `${this.#upload}.${id}.claims-`;
    return (await this.names()).filter((name) => name.startsWith(start));
  }

  content(entry: SentEntry, sha256: string): string {
    return join(this.path, `${this.#nameOf(entry)}-${sha256}`);
  }

  /** Of one process: see `StagedTree.append`. */
  part(entry: SentEntry, owner: string): string {
    return join(this.path, `${this.#nameOf(entry)}.${owner}.part`);
  }

  /** For a content that is not durable yet. */
  pending(entry: SentEntry): string {
    return join(this.path, `${this.#nameOf(entry)}.${randomUUID()}`);
  }

  /** Undefined if it is not the name of a content or of a part. */
  parse(name: string): KnownName | undefined {
    const [, upload, key, end] =
      /^(\d+)-([0-9a-f]{32})(-[0-9a-f]{64}|\.[0-9a-f-]{36}\.part)$/.exec(name) ?? [];
    if (key === undefined || end === undefined || Number(upload) !== this.#upload) return undefined;
    return end.endsWith(".part") ? { key } : { key, sha256: end.slice(1) };
  }

  /** Whether it belongs to another manifest of this upload than the one with these entries. */
  isStale(name: string, id: string, keys: ReadonlySet<string>): boolean {
    const known = this.parse(name);
    if (known) return !keys.has(known.key);
    return name.startsWith(`${this.#upload}.`) && !name.startsWith(`${this.#upload}.${id}`);
  }

  async names(): Promise<string[]> {
    return (await readdir(this.path).catch(absent)) ?? [];
  }

  #place(end: string): string {
    return join(this.path, `${this.#upload}.${end}`);
  }

  #nameOf({ key }: SentEntry): string {
    return `${this.#upload}-${key}`;
  }
}

/** Whether a name in the folder of a call is that of an entry's content. */
export function isContent(name: string): boolean {
  return /^\d+-[0-9a-f]{32}[-.]/.test(name);
}

/** The bytes that a mark in the folder of a call stands for. */
export function claimOf(name: string): number {
  return Number(/^\d+\.[0-9a-f]{64}\.claims-(\d+)$/.exec(name)?.[1] ?? 0);
}

export async function writeWhole(place: string, text: string): Promise<void> {
  const pending = `${place}.${randomUUID()}`;
  await writeFile(pending, text, { mode: 0o600, flush: true });
  await rename(pending, place);
}
