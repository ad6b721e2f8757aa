import { createHash, randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, mkdir, open, readdir, readFile, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { smallFileBytes } from "@svc/protocol/exchange";
import { ProblemError } from "@svc/protocol/problem";
import { type StagedFile, stagedFile } from "./staged-file.ts";
import { unpackFolder } from "./staged-folder.ts";

export type StagedFolder = StagedFile & { remove(): Promise<void> };

const keptFor = 24 * 60 * 60 * 1_000;

/** Where uploads arrive, piece by piece. How much has arrived is the size of the file: no other state to keep true. */
export class Staging {
  readonly #folder: string;
  readonly #receiving = new Map<string, { content: Readable; ended: Promise<void> }>();

  constructor(folder: string) {
    this.#folder = join(folder, "staging");
  }

  newId(): string {
    return randomUUID();
  }

  async received(id: string): Promise<number> {
    return (await sizeOf(this.#place(id))) ?? 0;
  }

  /** Appends at `offset`, which must be where the file ends. What arrived before a cut stays. Answers with where it ends now. */
  async append(id: string, offset: number, maxBytes: number, content: Readable): Promise<number> {
    // Who is wrong about where it goes on must not end another who is right.
    if (this.#receiving.has(id)) await this.#requireOffset(id, offset);
    const release = await this.#takeOver(id, content);
    try {
      // The other one may have brought more before it ended.
      await this.#requireOffset(id, offset);
      return await writeFrom(this.#place(id), offset, maxBytes, content);
    } finally {
      release();
    }
  }

  async open(id: string, path: string): Promise<StagedFile> {
    const place = this.#place(id);
    const size = await sizeOf(place);
    if (size === undefined) {
      throw new ProblemError("conflict", `\`${path}\` has not arrived.`, {
        hint: "Send it, also where it is empty, then repeat the call.",
      });
    }
    // A small one is read once and kept while its call runs: it is hashed, read for its text, and stored from that.
    if (size > smallFileBytes) return stagedFile({ path, place, size, sha256: await digestOf(place) });
    return stagedFile({ path, place, bytes: await readFile(place) });
  }

  /** The same for one that came with the line. It is written only where a reader needs a file. */
  hold(id: string, path: string, bytes: Buffer): StagedFile {
    const place = this.#place(id);
    return stagedFile({
      path,
      bytes,
      place: async () => {
        await writeFrom(place, 0, bytes.length, Readable.from([bytes]));
        return place;
      },
    });
  }

  /** The same for a folder. Whoever opened it removes what was unpacked. */
  async openFolder(id: string, path: string, signal: AbortSignal): Promise<StagedFolder> {
    const archive = await this.open(id, path);
    const unpacked = `${this.#place(id)}.${randomUUID()}`;
    const remove = () => rm(unpacked, { recursive: true, force: true });
    try {
      return { ...archive, entries: await unpackFolder(this.#place(id), unpacked, signal), remove };
    } catch (error) {
      await remove();
      throw error;
    }
  }

  async remove(id: string): Promise<void> {
    await rm(this.#place(id), { force: true });
  }

  /** Removes what nobody came back for; says how many. */
  async sweep(now: Date): Promise<number> {
    const names = await readdir(this.#folder).catch(() => [] as string[]);
    let swept = 0;
    for (const name of names) {
      const place = join(this.#folder, name);
      const found = await stat(place).catch(absent);
      if (!found || now.getTime() - found.mtimeMs < keptFor) continue;
      await rm(place, { recursive: true, force: true });
      swept += 1;
    }
    return swept;
  }

  async #requireOffset(id: string, offset: number): Promise<void> {
    const present = await this.received(id);
    if (offset === present) return;
    throw new ProblemError("conflict", `The upload continues at ${present}, not at ${offset}.`);
  }

  /** Who comes back after a cut finds the old connection still open, often for a minute: the newer one takes over. */
  async #takeOver(id: string, content: Readable): Promise<() => void> {
    for (let other = this.#receiving.get(id); other; other = this.#receiving.get(id)) {
      other.content.destroy(new ProblemError("conflict", "Another request goes on with this upload."));
      await other.ended;
    }
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    this.#receiving.set(id, { content, ended });
    // It may break before it is read; who reads it finds out.
    content.on("error", () => {});
    return () => {
      this.#receiving.delete(id);
      end();
    };
  }

  #place(id: string): string {
    if (!/^[0-9a-f-]{36}$/.test(id)) throw new ProblemError("not_found", "There is no such upload.");
    return join(this.#folder, id);
  }
}

/**
 * Each chunk goes to its own position, never to wherever the file happens to end: where another process still receives
 * a late piece of the same upload, both write the same bytes to the same place.
 */
async function writeFrom(
  place: string,
  offset: number,
  maxBytes: number,
  content: Readable,
): Promise<number> {
  const file = await openToWrite(place);
  let end = offset;
  try {
    // Destroying the request would cut the connection before a refusal is out.
    for await (const chunk of content.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if (end + chunk.length > maxBytes) {
        await file.truncate(offset);
        throw new ProblemError("too_large", `A file may have at most ${maxBytes} bytes.`);
      }
      const { bytesWritten } = await file.write(chunk, 0, chunk.length, end);
      end += bytesWritten;
      if (bytesWritten < chunk.length) throw new Error("the disk took only a part of a piece");
    }
    await file.sync();
    return end;
  } catch (error) {
    if (error === content.errored && !(error instanceof ProblemError)) {
      throw new ProblemError("conflict", `The upload was cut off at ${end}.`, { cause: error });
    }
    content.resume();
    throw error;
  } finally {
    await file.close();
  }
}

/** The folder is there for all but the first. */
function openToWrite(place: string): Promise<FileHandle> {
  const create = () => open(place, constants.O_CREAT | constants.O_WRONLY, 0o600);
  return create().catch(async (error: NodeJS.ErrnoException) => {
    absent(error);
    await mkdir(dirname(place), { recursive: true, mode: 0o700 });
    return create();
  });
}

/** Into one buffer again and again: a stream leaves one for each piece, and a large file tens of megabytes of them. */
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

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
