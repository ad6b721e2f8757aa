import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { smallFileBytes } from "@svc/protocol/exchange";
import { ProblemError } from "@svc/protocol/problem";
import { attribute } from "../process/dependency.ts";
import { CommitLease } from "./commit-lease.ts";
import { keptManifests } from "./kept-manifests.ts";
import { absent, type Piece, type PieceWriter, sizeOf } from "./piece-writer.ts";
import { removeFolder } from "./remove-folder.ts";
import { type StagedFile, stagedFile } from "./staged-file.ts";
import { StagedTree } from "./staged-tree.ts";
import type { StagingOwner, StagingQuota } from "./staging-quota.ts";
import type { UsedCalls } from "./used-calls.ts";

interface StagedCallParts {
  /** Holds the files of this call and nothing else. */
  folder: string;
  owner: StagingOwner;
  id: string;
  askedAt: number;
  quota: StagingQuota;
  used: UsedCalls;
  writer: PieceWriter;
}

const endedMark = ".";

/** Its process died before everything of it was removed; nobody goes on with it. */
export function isEnded(folder: string): boolean {
  return basename(folder).includes(endedMark);
}

/**
 * The files that one call brings. They are deleted as soon as the call has ended, and another call cannot use them: only
 * the same line, if it is repeated after an interruption, continues with the trees that have arrived.
 */
export class StagedCall {
  readonly id: string;
  readonly askedAt: number;
  readonly #parts: StagedCallParts;

  constructor(parts: StagedCallParts) {
    this.#parts = parts;
    this.id = parts.id;
    this.askedAt = parts.askedAt;
  }

  get lease(): CommitLease {
    return new CommitLease(this.#parts.folder);
  }

  isUsed(): Promise<boolean> {
    return this.#parts.used.has(this);
  }

  async received(upload: number): Promise<number> {
    return (await sizeOf(this.#place(upload))) ?? 0;
  }

  /** Whether anything of it has arrived, be it empty. */
  async hasAny(upload: number): Promise<boolean> {
    return (await sizeOf(this.#place(upload))) !== undefined;
  }

  /** Appends at the end of the file. Bytes that arrived before an interruption stay. Returns the new end. */
  append(upload: number, piece: Piece): Promise<number> {
    return this.#append(this.#place(upload), piece);
  }

  /** A file, or a folder, that is announced by a manifest. */
  tree(upload: number): StagedTree {
    const { folder, writer } = this.#parts;
    const requireOpen = () => this.requireUnused();
    return new StagedTree({ folder, upload, writer, requireOpen, room: this.#room });
  }

  /** Undefined if nothing of it has arrived. */
  async open(upload: number, path: string): Promise<StagedFile | undefined> {
    const place = this.#place(upload);
    const size = await sizeOf(place);
    if (size === undefined) return undefined;
    // A small file is read once and kept in memory while its call runs, for reading its text and storing it.
    if (size <= smallFileBytes) return stagedFile({ path, place, bytes: await readFile(place) });
    return stagedFile({ path, place, size, sha256: await this.digest(upload) });
  }

  /** Of what has arrived. */
  async digest(upload: number): Promise<string> {
    return this.#parts.writer.digestOf(this.#place(upload), await this.received(upload));
  }

  /** The same for a file sent with the command line. It is written to disk only if a reader needs a file. */
  hold(upload: number, path: string, bytes: Buffer): StagedFile {
    const place = `${this.#place(upload)}.held`;
    return stagedFile({
      path,
      bytes,
      place: async () => {
        const content = Readable.from([bytes]);
        await this.#append(place, { offset: 0, maxBytes: bytes.length, length: bytes.length, content });
        return place;
      },
    });
  }

  async remove(upload: number): Promise<void> {
    this.#parts.writer.forget(this.#place(upload));
    await rm(this.#place(upload), { force: true });
  }

  /** The call has ended: deletes its files, so that no other call can use them. */
  async finish(): Promise<void> {
    const { used, folder } = this.#parts;
    keptManifests.forget(folder);
    await attribute("store", () => used.add(this));
    // Many files take seconds, and the next run of the same line may send others to the same place meanwhile.
    const ended = `${folder}${endedMark}${randomUUID()}`;
    await rename(folder, ended).catch(absent);
    await removeFolder(ended);
  }

  /** The caller disconnected: uploads stay for a while for a retry. Everything derived from them is deleted. */
  async abort(): Promise<void> {
    const { folder } = this.#parts;
    await attribute("store", async () => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await (await open(join(folder, `${this.#abortMark}${randomUUID()}`), "wx", 0o600)).close();
    });
    const held = (await namesIn(folder)).filter((name) => name.endsWith(".held"));
    await Promise.all(held.map((name) => rm(join(folder, name), { force: true })));
  }

  /** How often its caller disconnected. */
  async aborts(): Promise<number> {
    return (await namesIn(this.#parts.folder)).filter((name) => name.startsWith(this.#abortMark)).length;
  }

  async requireUnused(): Promise<void> {
    if (!(await this.isUsed())) return;
    throw new ProblemError("conflict", "The files of this call were already used.", {
      hint: "Run the command again to send them again.",
    });
  }

  #append(path: string, piece: Piece): Promise<number> {
    const requireOpen = () => this.requireUnused();
    return this.#parts.writer.append({ path, room: this.#room, requireOpen }, piece);
  }

  get #room() {
    const { quota, owner } = this.#parts;
    return {
      claim: (bytes: number) => quota.claim(owner, bytes),
      settle: (bytes: number) => quota.settle(owner, bytes),
    };
  }

  get #abortMark(): string {
    return `aborted-${this.askedAt}-`;
  }

  /** A stream cannot be continued by another run of the line, so each has its own. */
  #place(upload: number): string {
    return join(this.#parts.folder, `direct-${this.askedAt}-${upload}`);
  }
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(absent)) ?? [];
}
