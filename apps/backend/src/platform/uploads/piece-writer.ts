import { createHash, type Hash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, mkdir, open, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { Readable } from "node:stream";
import { ProblemError } from "@svc/protocol/problem";
import { LRUCache } from "lru-cache";
import { attribute } from "../process/dependency.ts";
import { FileAppender } from "./file-appender.ts";

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

  async #write(place: PiecePlace, { offset, maxBytes, length = 0, content }: Piece): Promise<number> {
    const { path, room } = place;
    let [end, claimed, written] = [offset, 0, 0];
    let file: FileHandle | undefined;
    let hash: Hash | undefined;
    let appender: FileAppender | undefined;
    const claim = async (bytes: number) => {
      await room.claim(bytes);
      claimed += bytes;
    };
    const onWritten = (bytes: number) => {
      written += bytes;
      room.settle(bytes);
    };
    try {
      if (offset + length > maxBytes) throw tooLarge(maxBytes);
      await claim(length);
      file = await openToWrite(place);
      hash = await this.#digestUpTo(path, offset);
      // Until all of it is written, the digest may have bytes that the file has not.
      this.forget(path);
      appender = new FileAppender({ file, hash, end: offset, onWritten });
      // Destroying the request would close the connection before the refusal is sent.
      for await (const chunk of content.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        end += chunk.length;
        if (end > maxBytes) throw tooLarge(maxBytes);
        const lacking = end - offset - claimed;
        if (lacking > 0) await claim(claimBytes).catch(() => claim(lacking));
        await appender.add(chunk);
      }
      await appender.finish();
      this.#digests.set(path, { hash, end });
      return end;
    } catch (error) {
      const left = await appender?.abandon();
      content.resume();
      if (left && !left.isKept) await rm(path, { force: true });
      else if (isTooLarge(error)) await file?.truncate(offset);
      else if (left?.isWritten && hash) this.#digests.set(path, { hash, end: offset + written });
      if (error !== content.errored || error instanceof ProblemError) throw error;
      throw new ProblemError("conflict", `The upload was interrupted at ${offset + written}.`, {
        cause: error,
      });
    } finally {
      room.settle(claimed - written);
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

function isTooLarge(error: unknown): boolean {
  return error instanceof ProblemError && error.code === "too_large";
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
