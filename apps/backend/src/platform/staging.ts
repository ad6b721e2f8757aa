import { createHash, randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readdir, rm, stat, truncate } from "node:fs/promises";
import { join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
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

  constructor(folder: string) {
    this.#folder = join(folder, "staging");
  }

  newId(): string {
    return randomUUID();
  }

  async received(id: string): Promise<number> {
    const found = await stat(this.#place(id)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
    return found?.size ?? 0;
  }

  /** Appends at `offset`, which must be where the file ends. Answers with where it ends now, also when it was cut off. */
  async append(id: string, offset: number, maxBytes: number, content: Readable): Promise<number> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const present = await this.received(id);
    if (offset !== present) {
      throw new ProblemError("conflict", `The upload continues at ${present}, not at ${offset}.`);
    }
    let total = offset;
    const limit = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        total += chunk.length;
        if (total > maxBytes)
          done(new ProblemError("too_large", `A file may have at most ${maxBytes} bytes.`));
        else done(null, chunk);
      },
    });
    const target = createWriteStream(this.#place(id), { flags: "a", mode: 0o600, flush: true });
    try {
      await pipeline(content, limit, target);
    } catch (error) {
      if (error instanceof ProblemError) await truncate(this.#place(id), offset);
      throw error;
    }
    return total;
  }

  async open(id: string, path: string): Promise<StagedFile> {
    const place = this.#place(id);
    const digest = createHash("sha256");
    let size = 0;
    try {
      for await (const chunk of createReadStream(place) as AsyncIterable<Buffer>) {
        digest.update(chunk);
        size += chunk.length;
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      // Nothing was sent: an empty file needs no bytes.
      return { path, size: 0, sha256: digest.digest("hex"), read: () => Readable.from([]) };
    }
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
      const { mtimeMs } = await stat(place);
      if (now.getTime() - mtimeMs < keptFor) continue;
      await rm(place, { force: true });
      swept += 1;
    }
    return swept;
  }

  #place(id: string): string {
    if (!/^[0-9a-f-]{36}$/.test(id)) throw new ProblemError("not_found", "There is no such upload.");
    return join(this.#folder, id);
  }
}
