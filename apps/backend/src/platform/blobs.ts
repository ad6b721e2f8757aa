import { createHash, randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, open, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ProblemError } from "@svc/protocol/problem";

interface Blob {
  sha256: string;
  size: number;
}

/** Content by its digest, apart for each tenant: nobody learns from a digest what another tenant holds. */
export interface Blobs {
  put(tenantId: string, content: Readable): Promise<Blob>;
  /** `end` is inclusive, as in HTTP ranges. */
  read(tenantId: string, sha256: string, range?: { start: number; end: number }): Promise<Readable>;
  size(tenantId: string, sha256: string): Promise<number>;
}

export function fileSystemBlobs(folder: string): Blobs {
  const place = (tenantId: string, sha256: string) => {
    if (!/^[0-9a-f]{64}$/.test(sha256)) throw new ProblemError("not_found", "There is no such file.");
    return join(folder, "blobs", tenantId, sha256.slice(0, 2), sha256);
  };
  return {
    async put(tenantId, content) {
      const pending = join(folder, "pending", randomUUID());
      await mkdir(dirname(pending), { recursive: true, mode: 0o700 });
      const digest = createHash("sha256");
      let size = 0;
      const count = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          digest.update(chunk);
          size += chunk.length;
          done(null, chunk);
        },
      });
      try {
        await pipeline(content, count, createWriteStream(pending, { flags: "wx", mode: 0o600, flush: true }));
        const sha256 = digest.digest("hex");
        const target = place(tenantId, sha256);
        await mkdir(dirname(target), { recursive: true, mode: 0o700 });
        await rename(pending, target);
        await syncFolder(dirname(target));
        return { sha256, size };
      } catch (error) {
        await rm(pending, { force: true });
        throw error;
      }
    },
    async read(tenantId, sha256, range) {
      const handle = await open(place(tenantId, sha256)).catch(missing);
      return createReadStream("", { fd: handle, ...range });
    },
    async size(tenantId, sha256) {
      return (await stat(place(tenantId, sha256)).catch(missing)).size;
    },
  };
}

function missing(error: NodeJS.ErrnoException): never {
  if (error.code === "ENOENT") throw new ProblemError("not_found", "There is no such file.");
  throw error;
}

/** A rename survives a power cut only once its folder has been synced. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
