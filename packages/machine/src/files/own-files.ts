import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { stateFolders } from "./state-file.ts";

interface Identified {
  dev: number | bigint;
  ino: number | bigint;
}

/**
 * The files of svc itself, including logins. Recognised by identity and not by path: a link, another spelling or a
 * second mount leads to the same file.
 */
export class OwnFiles {
  readonly #identities: ReadonlySet<string>;

  private constructor(identities: ReadonlySet<string>) {
    this.#identities = identities;
  }

  static async find(environment: NodeJS.ProcessEnv): Promise<OwnFiles> {
    const identities = new Set<string>();
    for (const folder of stateFolders(environment)) {
      for (const path of [folder, ...(await pathsIn(folder))]) {
        const found = await stat(path, { bigint: true }).catch(unlessMissing);
        if (found) identities.add(identityOf(found));
      }
    }
    return new OwnFiles(identities);
  }

  has(found: Identified): boolean {
    return this.#identities.has(identityOf(found));
  }
}

function identityOf({ dev, ino }: Identified): string {
  return `${dev}:${ino}`;
}

async function pathsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true }).catch(unlessMissing);
  return (names ?? []).map((name) => join(folder, name));
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw error;
}
