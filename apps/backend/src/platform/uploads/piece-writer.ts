import { createHash, type Hash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, mkdir, open, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { Readable } from "node:stream";
import { ProblemError } from "@svc/protocol/problem";
import { LRUCache } from "lru-cache";
import { attribute } from "../process/dependency.ts";

export interface Piece {
  offset: number;
  maxBytes: number;
  /** If the sender declares it. */
  length?: number | undefined;
  content: Readable;
}

/** Where a piece goes, and who pays for its room. */
export interface PiecePlace {
  path: string;
  /** Reserves room for more bytes, and gives it back once they are written. */
  room: { claim(bytes: number): Promise<void>; settle(bytes: number): void };
  /** Throws if its call has ended in the meantime. */
  requireOpen(): Promise<void>;
  /** A file of another process with at least so many bytes, to be continued in this one. */
  findStart?(bytes: number): Promise<string | undefined>;
}

/** Claimed step by step for a piece of unknown length. */
const claimBytes = 8 * 1024 ** 2;
const readBytes = 256 * 1_024;

/**
 * Receives files piece by piece; the size of the file shows how much has arrived, so there is no other state to keep.
 * Digests what it writes, so that nothing is read again: only a piece that continues the work of another process has to
 * catch up first.
 */
export class PieceWriter {
  /** What is arriving right now. */
  readonly #receiving = new Map<string, { content: Readable; ended: Promise<void> }>();
  /** Of the first `end` bytes. */
  readonly #digests = new LRUCache<string, { hash: Hash; end: number }>({ max: 2_000 });

  /** Appends at the end of the file. Bytes that arrived before an interruption stay. Returns the new end. */
  async append(place: PiecePlace, piece: Piece): Promise<number> {
    await place.requireOpen();
    // A sender with a wrong offset must not end another with the right one.
    if (this.#receiving.has(place.path)) await requireOffset(place.path, piece.offset);
    const release = await this.#takeOver(place.path, piece.content);
    try {
      await this.#copyStart(place, piece.offset);
      // The other request may have appended more before it ended.
      await requireOffset(place.path, piece.offset);
      return await attribute("store", () => this.#write(place, piece));
    } finally {
      release();
    }
  }

  /** Of a complete file. */
  async digestOf(path: string, size: number): Promise<string> {
    return (await this.#digestUpTo(path, size)).copy().digest("hex");
  }

  /** The file is gone, or has another name. */
  forget(path: string): void {
    this.#digests.delete(path);
  }

  async #digestUpTo(path: string, end: number): Promise<Hash> {
    const known = this.#digests.get(path);
    if (known?.end === end) return known.hash;
    const hash = await digestStart(path, end);
    this.#digests.set(path, { hash, end });
    return hash;
  }

  /**
   * A file is written by one process only: what another one still writes to its own can never change a content whose
   * digest is known.
   */
  async #copyStart({ path, findStart, requireOpen }: PiecePlace, bytes: number): Promise<void> {
    if (((await sizeOf(path)) ?? 0) >= bytes) return;
    const start = await findStart?.(bytes);
    if (start === undefined) return;
    const file = await openToWrite({ path, requireOpen });
    try {
      this.forget(path);
      await file.truncate(0);
      const hash = await digestStart(start, bytes, async (block) => {
        await file.writeFile(block);
      });
      this.#digests.set(path, { hash, end: bytes });
    } finally {
      await file.close();
    }
  }

  /** After an interruption the old connection often stays open for a minute: the newer one takes over. */
  async #takeOver(path: string, content: Readable): Promise<() => void> {
    for (let other = this.#receiving.get(path); other; other = this.#receiving.get(path)) {
      other.content.destroy(new ProblemError("conflict", "Another request is continuing this upload."));
      await other.ended;
    }
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    this.#receiving.set(path, { content, ended });
    // It may break before it is read; its reader notices.
    content.on("error", () => {});
    return () => {
      this.#receiving.delete(path);
      end();
    };
  }

  /**
   * Each chunk goes to its own position, never to the current end of the file: if another process still receives a late
   * piece of the same upload, both write the same bytes to the same place.
   */
  async #write(place: PiecePlace, { offset, maxBytes, length = 0, content }: Piece): Promise<number> {
    const { path, room } = place;
    let end = offset;
    let promised = 0;
    let file: FileHandle | undefined;
    const claim = async (bytes: number) => {
      await room.claim(bytes);
      promised += bytes;
    };
    try {
      if (offset + length > maxBytes) throw tooLarge(maxBytes);
      await claim(length);
      file = await openToWrite(place);
      const hash = await this.#digestUpTo(path, offset);
      // Destroying the request would close the connection before the refusal is sent.
      for await (const chunk of content.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        if (end + chunk.length > maxBytes) throw tooLarge(maxBytes);
        if (chunk.length > promised) await claim(claimBytes).catch(() => claim(chunk.length - promised));
        const { bytesWritten } = await file.write(chunk, 0, chunk.length, end);
        hash.update(chunk.subarray(0, bytesWritten));
        end += bytesWritten;
        this.#digests.set(path, { hash, end });
        promised -= bytesWritten;
        room.settle(bytesWritten);
        if (bytesWritten < chunk.length) throw new Error("the disk accepted only part of a piece");
      }
      // guard: pieces-are-synced
      await file.datasync();
      return end;
    } catch (error) {
      if (error === content.errored && !(error instanceof ProblemError)) {
        throw new ProblemError("conflict", `The upload was interrupted at ${end}.`, { cause: error });
      }
      if (error instanceof ProblemError && error.code === "too_large") {
        this.forget(path);
        await file?.truncate(offset);
      }
      content.resume();
      throw error;
    } finally {
      room.settle(promised);
      await file?.close();
    }
  }
}

async function requireOffset(path: string, offset: number): Promise<void> {
  const present = await sizeOf(path);
  if (offset === (present ?? 0)) return;
  throw new ProblemError("conflict", `The upload continues at ${present ?? 0}, not at ${offset}.`);
}

/** A call that has ended accepts nothing more: later requests find its mark. */
async function openToWrite({
  path,
  requireOpen,
}: Pick<PiecePlace, "path" | "requireOpen">): Promise<FileHandle> {
  const create = () => open(path, constants.O_CREAT | constants.O_WRONLY, 0o600);
  const file = await create().catch(async (error: NodeJS.ErrnoException) => {
    absent(error);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    return create();
  });
  try {
    await requireOpen();
    return file;
  } catch (error) {
    await file.close();
    await rm(path, { force: true });
    throw error;
  }
}

/** Reuses one buffer: a stream allocates one per piece, which adds up to tens of megabytes for a large file. */
async function digestStart(
  path: string,
  end: number,
  onBlock?: (block: Buffer) => Promise<void>,
): Promise<Hash> {
  const hash = createHash("sha256");
  if (end === 0) return hash;
  const block = Buffer.allocUnsafe(readBytes);
  const file = await open(path, "r");
  try {
    for (let at = 0; at < end; ) {
      const { bytesRead } = await file.read(block, 0, Math.min(block.length, end - at), at);
      if (bytesRead === 0) throw new Error("a staged file is shorter than it was");
      hash.update(block.subarray(0, bytesRead));
      await onBlock?.(block.subarray(0, bytesRead));
      at += bytesRead;
    }
  } finally {
    await file.close();
  }
  return hash;
}

function tooLarge(maxBytes: number): ProblemError {
  return new ProblemError("too_large", `A file can have at most ${maxBytes} bytes.`);
}

export async function sizeOf(path: string): Promise<number | undefined> {
  return (await stat(path).catch(absent))?.size;
}

export function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
