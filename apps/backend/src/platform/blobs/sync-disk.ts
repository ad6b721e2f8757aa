import { execFile } from "node:child_process";
import { open } from "node:fs/promises";
import { promisify } from "node:util";
import { forEach } from "./for-each.ts";

/** From this many on, syncing the whole disk once is faster than syncing each. */
const many = 16;
const atOnce = 8;

/**
 * Makes files or folders durable that are complete on the same disk as `folder`. Node has no syncfs(2); the program
 * `sync` calls it, and fails if the disk does.
 */
export async function syncAll(folder: string, paths: readonly string[]): Promise<void> {
  const each = () => forEach(paths, atOnce, syncOne);
  if (paths.length < many) return each();
  await promisify(execFile)("sync", ["-f", folder]).catch((error: NodeJS.ErrnoException) => {
    // A small image may not have the program.
    if (error.code !== "ENOENT") throw error;
    return each();
  });
}

/** A name survives a power cut only once its folder has been synced. */
export async function syncOne(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
