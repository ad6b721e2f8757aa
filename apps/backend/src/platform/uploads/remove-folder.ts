import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { forEach } from "../blobs/for-each.ts";
import { absent } from "./piece-writer.ts";

const removedAtOnce = 8;

/**
 * With everything in it, a few at a time: Node's `rm` begins with all of them at once, and a folder may hold 100,000. A
 * file is removed as well, so that a stray one does not end a sweep.
 */
export async function removeFolder(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(noFolder);
  await forEach(entries, removedAtOnce, (entry) => {
    const place = join(folder, entry.name);
    return entry.isDirectory() ? removeFolder(place) : rm(place, { force: true });
  });
  // With what came meanwhile.
  await rm(folder, { recursive: true, force: true });
}

function noFolder(error: NodeJS.ErrnoException): [] {
  if (error.code !== "ENOTDIR") absent(error);
  return [];
}
