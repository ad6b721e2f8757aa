import { createHash, randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, mkdir, open, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { smallFileBytes } from "@svc/protocol/exchange";
import { ProblemError } from "@svc/protocol/problem";
import { attribute } from "../process/dependency.ts";
import { type StagedFile, stagedFile } from "./staged-file.ts";
import { unpackFolder } from "./staged-folder.ts";
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
  /** By place: what is arriving there right now. */
  receiving: Map<string, { content: Readable; ended: Promise<void> }>;
}

interface Piece {
  offset: number;
  maxBytes: number;
  /** If the sender declares it. */
  length?: number | undefined;
  content: Readable;
}

/** Claimed step by step for a piece of unknown length. */
const claimBytes = 8 * 1024 ** 2;
const abortedPrefix = "aborted-";

/**
 * The files that one call brings. They arrive piece by piece; the size of the file shows how much has arrived, so there
 * is no other state to maintain. They are deleted as soon as the call has ended, and another call cannot use them.
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

  isUsed(): Promise<boolean> {
    return this.#parts.used.has(this);
  }

  async received(upload: number): Promise<number> {
    return (await sizeOf(this.#place(upload))) ?? 0;
  }

  /** Appends at the end of the file. Bytes that arrived before an interruption stay. Returns the new end. */
  async append(upload: number, piece: Piece): Promise<number> {
    await this.requireUnused();
    // A sender with a wrong offset must not end another with the right one.
    const place = this.#place(upload);
    if (this.#parts.receiving.has(place)) await this.#requireOffset(upload, piece.offset);
    const release = await this.#takeOver(place, piece.content);
    try {
      // The other request may have appended more before it ended.
      await this.#requireOffset(upload, piece.offset);
      return await attribute("store", () => this.#write(place, piece));
    } finally {
      release();
    }
  }

  async open(upload: number, path: string): Promise<StagedFile> {
    const place = this.#place(upload);
    const size = await sizeOf(place);
    if (size === undefined) {
      throw new ProblemError("conflict", `\`${path}\` has not arrived.`, {
        hint: "Send the file, even if it is empty, then repeat the call.",
      });
    }
    // A small file is read once and kept in memory while its call runs, for hashing, reading its text and storing it.
    if (size > smallFileBytes) return stagedFile({ path, place, size, sha256: await digestOf(place) });
    return stagedFile({ path, place, bytes: await readFile(place) });
  }

  /** The same for a file sent with the command line. It is written to disk only if a reader needs a file. */
  hold(upload: number, path: string, bytes: Buffer): StagedFile {
    const place = `${this.#place(upload)}.held`;
    return stagedFile({
      path,
      bytes,
      place: async () => {
        const content = Readable.from([bytes]);
        const piece = { offset: 0, maxBytes: bytes.length, length: bytes.length, content };
        await attribute("store", () => this.#write(place, piece));
        return place;
      },
    });
  }

  /** The same for a folder, which is unpacked next to its archive. */
  async openFolder(upload: number, path: string, signal: AbortSignal): Promise<StagedFile> {
    const archive = await this.open(upload, path);
    const unpacked = `${this.#place(upload)}.${randomUUID()}`;
    return { ...archive, entries: await unpackFolder(this.#place(upload), unpacked, signal) };
  }

  async remove(upload: number): Promise<void> {
    await rm(this.#place(upload), { force: true });
  }

  /** The call has ended: deletes its files, so that no other call can use them. */
  async finish(): Promise<void> {
    await attribute("store", () => this.#parts.used.add(this));
    await this.#removeAll();
  }

  /** The caller disconnected: uploads stay for a while for a retry. Everything derived from them is deleted. */
  async abort(): Promise<void> {
    const { folder } = this.#parts;
    await attribute("store", async () => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await (await open(join(folder, `${abortedPrefix}${randomUUID()}`), "wx", 0o600)).close();
    });
    const made = (await namesIn(folder)).filter((name) => /^\d+\./.test(name));
    await Promise.all(made.map((name) => rm(join(folder, name), { recursive: true, force: true })));
  }

  /** How often its caller disconnected. */
  async aborts(): Promise<number> {
    return (await namesIn(this.#parts.folder)).filter((name) => name.startsWith(abortedPrefix)).length;
  }

  async requireUnused(): Promise<void> {
    if (!(await this.isUsed())) return;
    throw new ProblemError("conflict", "The files of this call were already used.", {
      hint: "Run the command again to send them again.",
    });
  }

  async #requireOffset(upload: number, offset: number): Promise<void> {
    const present = await this.received(upload);
    if (offset === present) return;
    throw new ProblemError("conflict", `The upload continues at ${present}, not at ${offset}.`);
  }

  /** After an interruption the old connection often stays open for a minute: the newer one takes over. */
  async #takeOver(place: string, content: Readable): Promise<() => void> {
    const { receiving } = this.#parts;
    for (let other = receiving.get(place); other; other = receiving.get(place)) {
      other.content.destroy(new ProblemError("conflict", "Another request is continuing this upload."));
      await other.ended;
    }
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    receiving.set(place, { content, ended });
    // It may break before it is read; its reader notices.
    content.on("error", () => {});
    return () => {
      receiving.delete(place);
      end();
    };
  }

  /**
   * Each chunk goes to its own position, never to the current end of the file: if another process still receives a late
   * piece of the same upload, both write the same bytes to the same place.
   */
  async #write(place: string, { offset, maxBytes, length = 0, content }: Piece): Promise<number> {
    const { quota, owner } = this.#parts;
    let end = offset;
    let promised = 0;
    let file: FileHandle | undefined;
    const claim = async (bytes: number) => {
      await quota.claim(owner, bytes);
      promised += bytes;
    };
    try {
      if (offset + length > maxBytes) throw tooLarge(maxBytes);
      await claim(length);
      file = await this.#openToWrite(place);
      // Destroying the request would close the connection before the refusal is sent.
      for await (const chunk of content.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        if (end + chunk.length > maxBytes) throw tooLarge(maxBytes);
        if (chunk.length > promised) await claim(claimBytes).catch(() => claim(chunk.length - promised));
        const { bytesWritten } = await file.write(chunk, 0, chunk.length, end);
        end += bytesWritten;
        promised -= bytesWritten;
        quota.settle(owner, bytesWritten);
        if (bytesWritten < chunk.length) throw new Error("the disk accepted only part of a piece");
      }
      await file.sync();
      return end;
    } catch (error) {
      if (error === content.errored && !(error instanceof ProblemError)) {
        throw new ProblemError("conflict", `The upload was interrupted at ${end}.`, { cause: error });
      }
      if (error instanceof ProblemError && error.code === "too_large") await file?.truncate(offset);
      content.resume();
      throw error;
    } finally {
      quota.settle(owner, promised);
      await file?.close();
    }
  }

  /** A call that has ended accepts nothing more: later requests find its mark. */
  async #openToWrite(place: string): Promise<FileHandle> {
    const create = () => open(place, constants.O_CREAT | constants.O_WRONLY, 0o600);
    const file = await create().catch(async (error: NodeJS.ErrnoException) => {
      absent(error);
      await mkdir(this.#parts.folder, { recursive: true, mode: 0o700 });
      return create();
    });
    try {
      await this.requireUnused();
      return file;
    } catch (error) {
      await file.close();
      await this.#removeAll();
      throw error;
    }
  }

  async #removeAll(): Promise<void> {
    await rm(this.#parts.folder, { recursive: true, force: true });
  }

  #place(upload: number): string {
    return join(this.#parts.folder, String(upload));
  }
}

function tooLarge(maxBytes: number): ProblemError {
  return new ProblemError("too_large", `A file can have at most ${maxBytes} bytes.`);
}

/** Reuses one buffer: a stream allocates one per piece, which adds up to tens of megabytes for a large file. */
async function digestOf(place: string): Promise<string> {
  const digest = createHash("sha256");
  const piece = Buffer.allocUnsafe(256 * 1_024);
  const file = await open(place, "r");
  try {
    for (let read = -1; read !== 0; ) {
      read = (await file.read(piece, 0, piece.length)).bytesRead;
      digest.update(piece.subarray(0, read));
    }
  } finally {
    await file.close();
  }
  return digest.digest("hex");
}

async function sizeOf(place: string): Promise<number | undefined> {
  return (await stat(place).catch(absent))?.size;
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(absent)) ?? [];
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
