import { createHash, randomUUID } from "node:crypto";
import { constants, createReadStream } from "node:fs";
import { mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { ProblemError } from "@svc/protocol/problem";

/** A file that a caller sent for one argument of one call. It is gone a day later unless the command kept it. */
export interface StagedFile {
  /** The path as typed; only its last part says anything about the content. */
  path: string;
  size: number;
  sha256: string;
  read(): Readable;
}

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
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await this.#requireOffset(id, offset);
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
    const digest = createHash("sha256");
    for await (const chunk of createReadStream(place) as AsyncIterable<Buffer>) digest.update(chunk);
    return { path, size, sha256: digest.digest("hex"), read: () => createReadStream(place) };
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
      await rm(place, { force: true });
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
  const file = await open(place, constants.O_CREAT | constants.O_WRONLY, 0o600);
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

async function sizeOf(place: string): Promise<number | undefined> {
  return (await stat(place).catch(absent))?.size;
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
