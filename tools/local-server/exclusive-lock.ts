import { spawnSync } from "node:child_process";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";

/** The open file that carries the lock. A child that inherits it keeps the lock when its parent is killed. */
export type HeldLock = { readonly descriptor: number };

/**
 * flock(1) locks the open file that it inherits, and that lock lasts until the last process holding the file
 * is gone: nothing is left behind by a kill, so there is no stale lock to recognise.
 */
export async function withExclusiveLock<T>(file: string, work: (lock: HeldLock) => Promise<T>): Promise<T> {
  mkdirSync(dirname(file), { recursive: true });
  const descriptor = openSync(file, "a");
  try {
    if (!acquire(descriptor, ["--nonblock"])) {
      console.error(`waiting for another process that works on the local server (${file})`);
      if (!acquire(descriptor, [])) throw new Error(`flock(1) could not lock ${file}.`);
    }
    return await work({ descriptor });
  } finally {
    closeSync(descriptor);
  }
}

function acquire(descriptor: number, options: string[]): boolean {
  const flock = spawnSync("flock", [...options, "3"], {
    stdio: ["ignore", "inherit", "inherit", descriptor],
  });
  if (flock.error) throw new Error(`flock(1) of util-linux did not run: ${flock.error.message}`);
  return flock.status === 0;
}
