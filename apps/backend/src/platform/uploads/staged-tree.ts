import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { longestPackFrame, parsePackFrame } from "@svc/protocol/manifest";
import { packedFileBytes, packFiles } from "@svc/protocol/pack";
import { ProblemError } from "@svc/protocol/problem";
import { LRUCache } from "lru-cache";
import { forEach } from "../blobs/for-each.ts";
import { syncAll, syncOne } from "../blobs/sync-disk.ts";
import { attribute } from "../process/dependency.ts";
import { ByteReader } from "./byte-reader.ts";
import { parseManifest, readManifest, type SentEntry, type SentManifest } from "./manifest.ts";
import { absent, type Piece, type PieceWriter, sizeOf } from "./piece-writer.ts";
import { describedFile, type StagedEntry, type StagedFile, stagedFile, stagedFolder } from "./staged-file.ts";

interface StagedTreeParts {
  /** Of its call; the files of a tree have names of their own in it. */
  folder: string;
  upload: number;
  writer: PieceWriter;
  /** Throws if the call has ended. */
  requireOpen(): Promise<void>;
  /** Reserves room for so many bytes until `settle`. */
  room: { claim(bytes: number): Promise<void>; settle(bytes: number): void };
}

/** What has arrived of the entries of a manifest. */
export interface Arrived {
  /** By entry: the digest of its content, which is complete and durable. */
  complete: ReadonlyMap<number, string>;
  /** By entry: bytes of an unfinished content. */
  begun: ReadonlyMap<number, number>;
  /** By entry: what the caller says is the digest of its content, which is not here. */
  claimed: ReadonlyMap<number, string>;
}

interface Pending {
  /** Until it is durable. */
  pending: string;
  place: string;
}

const writesAtOnce = 8;
const processMark = randomUUID();
/** Room for contents is claimed before they come. */
const claimedBefore = { claim: async () => {}, settle: () => {} };
/** Parsed once, not for every pack. */
const manifests = new LRUCache<string, SentManifest>({ max: 20 });

/**
 * A file or a folder that a caller announced with a manifest. Contents arrive in any order and are complete when they
 * have their digest in their name; names of the caller never become paths here. What an interrupted run of the same
 * line has sent is found again by names, sizes and stamps.
 */
export class StagedTree {
  readonly #parts: StagedTreeParts;

  constructor(parts: StagedTreeParts) {
    this.#parts = parts;
  }

  /** Replaces an earlier one, together with what arrived for it and is not named any more. Returns its id. */
  async receiveManifest(content: Readable): Promise<string> {
    await this.#parts.requireOpen();
    const { text, manifest } = await parseManifest(content);
    const { folder, room } = this.#parts;
    await room.claim(text.length);
    room.settle(text.length);
    const keys = new Set(manifest.entries.map(({ key }) => key));
    await attribute("store", async () => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const stale = (await readdir(folder)).filter((name) => {
        const known = this.#parse(name);
        if (known) return !keys.has(known.key);
        return name.startsWith(this.#name("")) && !name.startsWith(this.#name(manifest.id));
      });
      for (const name of stale) await rm(join(folder, name), { force: true });
      await writeWhole(join(folder, this.#name(`${manifest.id}.manifest`)), text);
    });
    return manifest.id;
  }

  async manifest(id: string): Promise<SentManifest> {
    const { folder } = this.#parts;
    const place = join(folder, this.#name(`${id}.manifest`));
    // Even if it is known: another run may have replaced it.
    if (!/^[0-9a-f]{64}$/.test(id) || !(await stat(place).catch(absent))) throw noManifest();
    const known = manifests.get(place);
    if (known) return known;
    const manifest = readManifest(await readFile(place, "utf8"));
    manifests.set(place, manifest);
    return manifest;
  }

  /** Of entries whose contents the caller does not want to send if they are there already. */
  async receiveDigests(id: string, content: Readable): Promise<void> {
    await this.#parts.requireOpen();
    const { entries } = await this.manifest(id);
    const reader = new ByteReader(content);
    const claimed: [number, string][] = [];
    for (;;) {
      const line = await reader.line(longestPackFrame);
      if (line === undefined) break;
      const frame = parsePackFrame(line);
      if (!frame || entries[frame.place]?.size === undefined || claimed.length > entries.length) {
        throw malformedPack(content);
      }
      claimed.push([frame.place, frame.sha256]);
    }
    if (!(await reader.isAtEnd())) throw malformedPack(content);
    const place = join(this.#parts.folder, this.#name(`${id}.digests`));
    await attribute("store", () => writeWhole(place, JSON.stringify(claimed)));
  }

  /** Lets the contents of entries come, if there is room for them. */
  async expect(id: string, bytes: number): Promise<void> {
    const { folder } = this.#parts;
    const mark = this.#name(`${id}.claims-`);
    const marks = (await namesIn(folder)).filter((name) => name.startsWith(mark));
    const isClaimed = marks.includes(`${mark}${bytes}`);
    if (!isClaimed) await this.#claim(`${mark}${bytes}`, bytes, marks);
    // Looked for with every pack, so it has a name that needs no listing.
    await attribute("store", () => writeWhole(join(folder, this.#name(`${id}.open`)), ""));
  }

  async #claim(mark: string, bytes: number, marks: readonly string[]): Promise<void> {
    const { folder, room } = this.#parts;
    const more = Math.max(0, bytes - Math.max(0, ...marks.map(claimOf)));
    await room.claim(more);
    try {
      await attribute("store", async () => {
        await writeWhole(join(folder, mark), "");
        for (const name of marks) await rm(join(folder, name), { force: true });
      });
    } finally {
      room.settle(more);
    }
  }

  /** Small files one after the other, each behind a line with its entry and digest. Durable when this resolves. */
  async receivePack(id: string, content: Readable): Promise<void> {
    const { entries } = await this.#expected(id);
    const { folder, requireOpen } = this.#parts;
    const reader = new ByteReader(content);
    const files: Pending[] = [];
    try {
      while (!(await reader.isAtEnd())) {
        const frame = parsePackFrame((await reader.line(longestPackFrame)) ?? "");
        const entry = frame && entries[frame.place];
        const isPacked = (entry?.size ?? packedFileBytes + 1) <= packedFileBytes;
        if (!entry || !isPacked || files.length === packFiles) throw malformedPack(content);
        const bytes = await reader.take(entry.size as number);
        if (!bytes) throw malformedPack(content);
        if (createHash("sha256").update(bytes).digest("hex") !== frame.sha256) throw mismatch(content);
        const name = this.#fileName(entry);
        const pending = join(folder, `${name}.${randomUUID()}`);
        files.push({ pending, place: join(folder, `${name}-${frame.sha256}`) });
        await attribute("store", () => writeFile(pending, bytes, { mode: 0o600, flag: "wx" }));
      }
      await attribute("store", async () => {
        await syncAll(
          folder,
          files.map(({ pending }) => pending),
        );
        await requireOpen();
        // A name says that the content is complete, so it comes last.
        await forEach(files, writesAtOnce, ({ pending, place }) => rename(pending, place));
        await syncOne(folder);
      });
    } catch (error) {
      content.resume();
      await Promise.all(files.map(({ pending }) => rm(pending, { force: true })));
      throw error;
    }
  }

  /** Appends to a large file; it is complete with its last byte. Returns the new end. */
  async append(id: string, place: number, piece: Omit<Piece, "maxBytes">, sha256?: string): Promise<number> {
    const { folder, writer, requireOpen } = this.#parts;
    const entry = (await this.#expected(id)).entries[place];
    if (entry?.size === undefined) throw noEntry();
    const path = join(folder, `${this.#fileName(entry)}.${processMark}.part`);
    const findStart = async (bytes: number) => {
      const parts = await this.#partsOf(entry);
      return parts.find((part) => part.path !== path && part.size >= bytes)?.path;
    };
    const end = await writer.append(
      { path, room: claimedBefore, requireOpen, findStart },
      { ...piece, maxBytes: entry.size },
    );
    if (end < entry.size) return end;
    const digest = await writer.digestOf(path, end);
    writer.forget(path);
    if (sha256 !== undefined && sha256 !== digest) {
      await rm(path, { force: true });
      throw mismatch();
    }
    await attribute("store", async () => {
      await rename(path, join(folder, `${this.#fileName(entry)}-${digest}`));
      for (const other of await this.#partsOf(entry)) await rm(other.path, { force: true });
      await syncOne(folder);
    });
    return end;
  }

  /** How many bytes of an entry are here. */
  async received(id: string, place: number): Promise<number> {
    const entry = (await this.#expected(id)).entries[place];
    if (entry?.size === undefined) throw noEntry();
    const { complete, begun } = await this.arrived(id);
    return complete.has(place) ? entry.size : (begun.get(place) ?? 0);
  }

  async arrived(id: string): Promise<Arrived> {
    const { folder } = this.#parts;
    const { entries } = await this.manifest(id);
    const [whole, parts] = [new Map<string, string>(), new Map<string, number>()];
    for (const name of await namesIn(folder)) {
      const known = this.#parse(name);
      if (known?.sha256 !== undefined) whole.set(known.key, known.sha256);
      else if (known) {
        const size = (await sizeOf(join(folder, name))) ?? 0;
        parts.set(known.key, Math.max(size, parts.get(known.key) ?? 0));
      }
    }
    const complete = new Map<number, string>();
    const begun = new Map<number, number>();
    for (const [place, { key, size }] of entries.entries()) {
      if (size === undefined) continue;
      const [sha256, bytes] = [whole.get(key), parts.get(key)];
      if (sha256 !== undefined) complete.set(place, sha256);
      else if (bytes !== undefined && bytes > 0) begun.set(place, bytes);
    }
    const digests = await readFile(join(folder, this.#name(`${id}.digests`)), "utf8").catch(absent);
    return { complete, begun, claimed: new Map(digests === undefined ? [] : JSON.parse(digests)) };
  }

  /** With the contents that arrived; others are only described by their digests, if the caller gave them. */
  async open(id: string, path: string): Promise<StagedFile> {
    const manifest = await this.manifest(id);
    const { complete, claimed } = await this.arrived(id);
    const fileOf = (place: number, entry: SentEntry, name: string): StagedFile => {
      const { size = 0 } = entry;
      const sha256 = complete.get(place);
      if (sha256 !== undefined) {
        const staged = join(this.#parts.folder, `${this.#fileName(entry)}-${sha256}`);
        return stagedFile({ path: name, place: staged, size, sha256, isFinal: true });
      }
      return describedFile({ path: name, size, sha256: claimed.get(place) ?? "" });
    };
    const [only] = manifest.entries;
    if (!manifest.isFolder) return fileOf(0, only as SentEntry, path);
    const entries = manifest.entries.map((entry, place): StagedEntry => {
      const { names, size } = entry;
      return size === undefined ? { names } : { names, file: fileOf(place, entry, names.join("/")) };
    });
    return stagedFolder(path, entries);
  }

  /** Of any process. */
  async #partsOf(entry: SentEntry): Promise<{ path: string; size: number }[]> {
    const { folder } = this.#parts;
    const names = (await namesIn(folder)).filter((name) => {
      const known = this.#parse(name);
      return known?.key === entry.key && known.sha256 === undefined;
    });
    return Promise.all(
      names.map(async (name) => ({
        path: join(folder, name),
        size: (await sizeOf(join(folder, name))) ?? 0,
      })),
    );
  }

  /** Contents come only after the check that answered with what is needed. */
  async #expected(id: string): Promise<SentManifest> {
    await this.#parts.requireOpen();
    const manifest = await this.manifest(id);
    if (await stat(join(this.#parts.folder, this.#name(`${id}.open`))).catch(absent)) return manifest;
    throw new ProblemError("conflict", "Repeat the line with this manifest before you send contents.");
  }

  #name(end: string): string {
    return `${this.#parts.upload}.${end}`;
  }

  #fileName({ key }: SentEntry): string {
    return `${this.#parts.upload}-${key}`;
  }

  #parse(name: string): { key: string; sha256?: string } | undefined {
    const [, upload, key, end] =
      /^(\d+)-([0-9a-f]{32})(-[0-9a-f]{64}|\.[0-9a-f-]{36}\.part)$/.exec(name) ?? [];
    if (key === undefined || end === undefined || Number(upload) !== this.#parts.upload) return undefined;
    return end.endsWith(".part") ? { key } : { key, sha256: end.slice(1) };
  }
}

/** Whether a name in the folder of a call is that of an entry's content. */
export function isContent(name: string): boolean {
  return /^\d+-[0-9a-f]{32}[-.]/.test(name);
}

/** The bytes that the marks in the folder of a call stand for. */
export function claimOf(name: string): number {
  return Number(/^\d+\.[0-9a-f]{64}\.claims-(\d+)$/.exec(name)?.[1] ?? 0);
}

async function writeWhole(place: string, text: string): Promise<void> {
  const pending = `${place}.${randomUUID()}`;
  await writeFile(pending, text, { mode: 0o600, flush: true });
  await rename(pending, place);
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(absent)) ?? [];
}

function noManifest(): ProblemError {
  return new ProblemError(
    "conflict",
    "This manifest is not here any more: another run of the same line replaced it.",
    {
      hint: "Run the command again.",
    },
  );
}

function noEntry(): ProblemError {
  return new ProblemError("not_found", "The manifest has no such file.");
}

function malformedPack(content: Readable): ProblemError {
  content.resume();
  return new ProblemError("invalid_request", "The pack does not fit its manifest.");
}

function mismatch(content?: Readable): ProblemError {
  content?.resume();
  return new ProblemError(
    "digest_mismatch",
    "The received content does not match its digest. Send the file again.",
  );
}
