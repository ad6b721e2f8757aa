import { createHmac, randomBytes } from "node:crypto";
import { link, lstat, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { isShape, isText } from "@svc/protocol/shape";
import { Failure } from "../failure.ts";
import { StateFile } from "./state-file.ts";

const isSecret = isShape<{ key: string }>({ key: isText });

/**
 * Where something that is coming lies until it is complete: a folder beside its place, for its owner alone. The same
 * content for the same place has the same folder, so what a cut left is found again. Its name comes from a secret:
 * nobody can put a folder full of links there beforehand.
 */
export class PartFolder {
  /** The file or folder that is coming. */
  readonly content: string;
  /** Whether the next run of the same line finds it. */
  readonly isFoundAgain: boolean;
  readonly #path: string;
  readonly #place: string;

  private constructor(place: string, path: string, isFoundAgain: boolean) {
    this.#place = place;
    this.#path = path;
    this.content = join(path, "content");
    this.isFoundAgain = isFoundAgain;
  }

  static async open(place: string, digest: string, environment: NodeJS.ProcessEnv): Promise<PartFolder> {
    const { key, isKept } = await readSecret(environment);
    const name = createHmac("sha256", key)
      .update(JSON.stringify([resolve(place), digest]))
      .digest("hex");
    const path = join(dirname(place), `.svc-${name.slice(0, 32)}.part`);
    await mkdir(dirname(place), { recursive: true });
    await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
      return requireOwn(path);
    });
    return new PartFolder(place, path, isKept);
  }

  /** Gives it its name, and never takes one from something else: not by rename alone, which would replace it. */
  async claimFile(): Promise<void> {
    try {
      await link(this.content, this.#place);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // Some file systems know no links.
      if (code !== "EPERM" && code !== "ENOTSUP" && code !== "EOPNOTSUPP") throw error;
      await (await open(this.#place, "wx")).close();
      await rename(this.content, this.#place);
    }
    await this.remove();
  }

  async claimFolder(): Promise<void> {
    await refuseTaken(this.#place);
    await rename(this.content, this.#place);
    await this.remove();
  }

  async remove(): Promise<void> {
    await rm(this.#path, { recursive: true, force: true });
  }
}

/** A link counts, wherever it leads. */
export async function refuseTaken(place: string): Promise<void> {
  const isTaken = await lstat(place).then(
    () => true,
    () => false,
  );
  if (isTaken) throw taken(place);
}

export function taken(place: string): Failure {
  return new Failure("conflict", `There is something at ${place} already; nothing was overwritten.`, {
    hint: "Choose another place with --output.",
  });
}

async function readSecret(environment: NodeJS.ProcessEnv): Promise<{ key: string; isKept: boolean }> {
  const file = new StateFile(environment, "parts.json", isSecret);
  const kept = await file.read();
  if (kept) return { key: kept.key, isKept: true };
  const key = randomBytes(32).toString("hex");
  // Where nothing can be remembered a download is still possible, only not found again.
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
  throw new Failure("disk", `${path} is not a folder that svc made for you alone.`, {
    hint: "Remove it and try again.",
  });
}
