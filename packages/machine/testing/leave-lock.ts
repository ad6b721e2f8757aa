import { mkdir, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";

/** A lock that somebody else holds, or left behind. */
export async function leaveLock(
  path: string,
  holder: { pid?: number; host?: string; since?: number } = {},
): Promise<void> {
  await mkdir(path, { recursive: true });
  const complete = { pid: process.pid, host: hostname(), since: Date.now(), ...holder };
  await writeFile(join(path, "somebody"), JSON.stringify(complete));
}
