import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { longestManifest } from "@svc/protocol/manifest";
import { ProblemError } from "@svc/protocol/problem";
import { syncOne } from "../blobs/sync-disk.ts";
import { attribute } from "../process/dependency.ts";
import { ArrivingManifest } from "./arriving-manifest.ts";
import { keptManifests } from "./kept-manifests.ts";
import { KeptTexts } from "./kept-texts.ts";
import { readManifest, type SentEntry, type SentManifest, tooMuch } from "./manifest.ts";
import { absent, type Piece, type PieceWriter, sizeOf } from "./piece-writer.ts";
import { mismatch, receiveDigests, receivePack } from "./receive-pack.ts";
import { describedFile, type StagedEntry, type StagedFile, stagedFile, stagedFolder } from "./staged-file.ts";
import { claimOf, TreeFolder, writeWhole } from "./tree-folder.ts";

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

const processMark = randomUUID();
/** Room for contents is claimed before they come. */
const claimedBefore = { claim: async () => {}, settle: () => {} };

/**
 * A file or a folder that a caller announced with a manifest. Contents arrive in any order and are complete when they
 * have their digest in their name; names of the caller never become paths here. What an interrupted run of the same
 * line has sent is found again by names, sizes and stamps.
 */
export class StagedTree {
  readonly #parts: StagedTreeParts;
  readonly #folder: TreeFolder;

  constructor(parts: StagedTreeParts) {
    this.#parts = parts;
    this.#folder = new TreeFolder(parts.folder, parts.upload);
  }

  /** Replaces an earlier one, together with what arrived for it and is not named any more. Returns its id. */
  async receiveManifest(content: Readable, length?: number): Promise<string> {
    await this.#parts.requireOpen();
    if (length !== undefined && length > longestManifest) throw tooMuch();
    const arriving = new ArrivingManifest(this.#folder.arriving(), this.#parts.room);
    try {
      const manifest = await readManifest(arriving.blocks(content, length));
      await attribute("store", async () => {
        await this.#removeStale(manifest);
        await arriving.keepAs(this.#folder.manifest(manifest.id));
      });
      return manifest.id;
    } catch (error) {
      await arriving.discard();
      throw error;
    }
  }

  async #removeStale({ id, entries }: SentManifest): Promise<void> {
    const keys = new Set(entries.map(({ key }) => key));
    const stale = (await this.#folder.names()).filter((name) => this.#folder.isStale(name, id, keys));
    for (const name of stale) {
      const place = join(this.#folder.path, name);
      keptManifests.forget(place);
      await rm(place, { force: true });
    }
  }

  async manifest(id: string): Promise<SentManifest> {
    const place = this.#folder.manifest(id);
    await this.#requireHere(id);
    // guard: only-accepted-are-kept
    return keptManifests.get(place) ?? readManifest(createReadStream(place));
  }

  /** Even if it is known: another run may have replaced it. */
  async #requireHere(id: string): Promise<void> {
    if (/^[0-9a-f]{64}$/.test(id) && (await stat(this.#folder.manifest(id)).catch(absent))) return;
    throw noManifest();
  }

  /** Of entries whose contents the caller does not want to send if they are there already. */
  async receiveDigests(id: string, content: Readable): Promise<void> {
    await this.#parts.requireOpen();
    const { entries } = await this.manifest(id);
    const claimed = await receiveDigests(entries, content);
    await attribute("store", () => writeWhole(this.#folder.digests(id), JSON.stringify(claimed)));
  }

  /** Lets the contents of entries come, if there is room for them: the command has accepted their names. */
  async expect(manifest: SentManifest, bytes: number): Promise<void> {
    const { id } = manifest;
    const claims = await this.#folder.claims(id);
    if (!claims.some((name) => claimOf(name) === bytes)) await this.#claim(id, bytes, claims);
    // Looked for with every pack, so it has a name that needs no listing.
    await attribute("store", () => writeWhole(this.#folder.openMark(id), ""));
    keptManifests.keep(this.#folder.manifest(id), manifest);
  }

  async #claim(id: string, bytes: number, claims: readonly string[]): Promise<void> {
    const { room } = this.#parts;
    const more = Math.max(0, bytes - Math.max(0, ...claims.map(claimOf)));
    await room.claim(more);
    try {
      await attribute("store", async () => {
        await writeWhole(this.#folder.claimMark(id, bytes), "");
        for (const name of claims) await rm(join(this.#folder.path, name), { force: true });
      });
    } finally {
      room.settle(more);
    }
  }

  /** Small files together. Durable when this resolves. */
  async receivePack(id: string, content: Readable): Promise<void> {
    const { entries } = await this.#expected(id);
    const { requireOpen } = this.#parts;
    await receivePack({ folder: this.#folder, entries, requireOpen }, content);
  }

  /** Appends to a large file; it is complete with its last byte. Returns the new end. */
  async append(id: string, place: number, piece: Omit<Piece, "maxBytes">, sha256?: string): Promise<number> {
    const { writer, requireOpen } = this.#parts;
    const entry = (await this.#expected(id)).entries[place];
    if (entry?.size === undefined) throw noEntry();
    const path = this.#folder.part(entry, processMark);
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
    // guard: sent-digests-are-checked
    if (sha256 !== undefined && sha256 !== digest) {
      await rm(path, { force: true });
      throw mismatch();
    }
    await attribute("store", async () => {
      await rename(path, this.#folder.content(entry, digest));
      for (const other of await this.#partsOf(entry)) await rm(other.path, { force: true });
      // guard: names-of-pieces-are-synced
      await syncOne(this.#folder.path);
    });
    return end;
  }

  /** How many bytes of an entry are here. */
  async received(id: string, place: number): Promise<number> {
    const manifest = await this.#expected(id);
    const entry = manifest.entries[place];
    if (entry?.size === undefined) throw noEntry();
    const { complete, begun } = await this.arrived(manifest);
    return complete.has(place) ? entry.size : (begun.get(place) ?? 0);
  }

  async arrived({ id, entries }: SentManifest): Promise<Arrived> {
    await this.#requireHere(id);
    const [whole, parts] = [new Map<string, string>(), new Map<string, number>()];
    for (const name of await this.#folder.names()) {
      const known = this.#folder.parse(name);
      if (known?.sha256 !== undefined) whole.set(known.key, known.sha256);
      else if (known) {
        const size = (await sizeOf(join(this.#folder.path, name))) ?? 0;
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
    const digests = await readFile(this.#folder.digests(id), "utf8").catch(absent);
    return { complete, begun, claimed: new Map(digests === undefined ? [] : JSON.parse(digests)) };
  }

  /** With the contents that arrived; others are only described by their digests, if the caller gave them. */
  async open(manifest: SentManifest, path: string): Promise<StagedFile> {
    const { complete, claimed } = await this.arrived(manifest);
    const texts = new KeptTexts();
    const fileOf = (place: number, entry: SentEntry, name: string): StagedFile => {
      const { size = 0 } = entry;
      const sha256 = complete.get(place);
      if (sha256 !== undefined) {
        const staged = this.#folder.content(entry, sha256);
        return stagedFile({ path: name, place: staged, size, sha256, isFinal: true, texts });
      }
      return describedFile({ path: name, size, sha256: claimed.get(place) ?? "" });
    };
    const [only] = manifest.entries;
    if (!manifest.isFolder) return fileOf(0, only as SentEntry, path);
    const entries = manifest.entries.map((entry, place): StagedEntry => {
      if (entry.size === undefined) return entry;
      return new OpenEntry(entry, fileOf(place, entry, entry.names.join("/")));
    });
    return stagedFolder(path, entries, manifest.leftOut);
  }

  /** Of any process. */
  async #partsOf(entry: SentEntry): Promise<{ path: string; size: number }[]> {
    const names = (await this.#folder.names()).filter((name) => {
      const known = this.#folder.parse(name);
      return known?.key === entry.key && known.sha256 === undefined;
    });
    const paths = names.map((name) => join(this.#folder.path, name));
    return Promise.all(paths.map(async (path) => ({ path, size: (await sizeOf(path)) ?? 0 })));
  }

  /** Contents come only after the check that answered with what is needed. */
  async #expected(id: string): Promise<SentManifest> {
    await this.#parts.requireOpen();
    await this.#requireHere(id);
    // Before it is read: only one that was accepted is kept, and the others must not be parsed for every request.
    if (await stat(this.#folder.openMark(id)).catch(absent)) return this.manifest(id);
    throw new ProblemError("conflict", "Repeat the line with this manifest before you send contents.");
  }
}

/** Without a copy of its names, which many entries share. */
class OpenEntry implements StagedEntry {
  readonly file: StagedFile;
  readonly #entry: SentEntry;

  constructor(entry: SentEntry, file: StagedFile) {
    this.#entry = entry;
    this.file = file;
  }

  get names(): readonly string[] {
    return this.#entry.names;
  }
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
