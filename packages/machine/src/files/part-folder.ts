import { createHmac, randomBytes } from "node:crypto";
import { lstat, mkdir, readdir, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { isShape, isText } from "@svc/protocol/shape";
import { Failure } from "../failure.ts";
import { StateFile } from "./state-file.ts";

const isSecret = isShape<{ key: string }>({ key: isText });

/**
 * Holds a download until it is complete: a folder next to its target, for its owner alone. The same source has the same
 * folder for the same target, so an interrupted download is found again. Its name comes from a secret: nobody can plant a
 * folder full of links there.
 */
export class PartFolder {
  /** The file or folder being received. */
  readonly content: string;
  /** Whether the next run of the same line finds it. */
  readonly isFoundAgain: boolean;
  readonly #path: string;

  private constructor(path: string, isFoundAgain: boolean) {
    this.#path = path;
    this.content = join(path, "content");
    this.isFoundAgain = isFoundAgain;
  }

  static async open(place: string, source: string, environment: NodeJS.ProcessEnv): Promise<PartFolder> {
    const { key, isKept } = await readSecret(environment);
    const name = createHmac("sha256", key)
      .update(JSON.stringify([resolve(place), source]))
      .digest("hex");
    const path = join(dirname(place), `.svc-${name.slice(0, 32)}.part`);
    await mkdir(dirname(place), { recursive: true });
    await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
      return requireOwn(path);
    });
    return new PartFolder(path, isKept);
  }

  async remove(): Promise<void> {
    await rm(this.#path, { recursive: true, force: true });
  }
}

async function readSecret(environment: NodeJS.ProcessEnv): Promise<{ key: string; isKept: boolean }> {
  const file = new StateFile(environment, "parts.json", isSecret);
  const kept = await file.read();
  if (kept) return { key: kept.key, isKept: true };
  const key = randomBytes(32).toString("hex");
  // If nothing can be stored, a download still works, but cannot be resumed.
  const isKept = await file.write({ key }).then(
    () => true,
    () => false,
  );
  return { key, isKept };
}

/** What an earlier run left: a folder of the same owner, for them alone, with nothing in it that leads elsewhere. */
async function requireOwn(path: string): Promise<void> {
  const found = await lstat(path);
  const isPrivate =
    process.platform === "win32" || ((found.mode & 0o077) === 0 && found.uid === process.getuid?.());
  if (found.isDirectory() && isPrivate) {
    const entries = await readdir(path, { recursive: true, withFileTypes: true });
    if (entries.every((entry) => entry.isFile() || entry.isDirectory())) return;
  }
  throw new Failure("disk", `${path} was not created by svc, or others can access it.`, {
    hint: "Remove it and try again.",
  });
}
