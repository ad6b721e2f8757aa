import { execFileSync } from "node:child_process";
import { mkdtemp, open, rm, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A real file system of one megabyte, in memory. Mounting it needs root, as the local PostgreSQL does. */
export class SmallDisk {
  readonly folder: string;
  readonly #filler: string;

  private constructor(folder: string) {
    this.folder = folder;
    this.#filler = join(folder, "filler");
  }

  static async mount(): Promise<SmallDisk> {
    const folder = await mkdtemp(join(tmpdir(), "svc-small-disk-"));
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", folder]);
    return new SmallDisk(folder);
  }

  /** Takes all the space that is left, but for so many bytes. */
  async fill(freeBytes = 0): Promise<void> {
    const file = await open(this.#filler, "w");
    const block = Buffer.alloc(4_096);
    try {
      for (;;) await file.write(block);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    } finally {
      await file.truncate((await file.stat()).size - freeBytes);
      await file.close();
    }
  }

  async makeRoom(): Promise<void> {
    await rm(this.#filler);
  }

  async unmount(): Promise<void> {
    execFileSync("umount", [this.folder]);
    await rmdir(this.folder);
  }
}
