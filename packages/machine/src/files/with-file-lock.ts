import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isNumber, isShape, isText, parsedJson } from "@svc/protocol/shape";
import { Failure } from "../failure.ts";
import { isRunning } from "../is-running.ts";

interface Holder {
  pid: number;
  host: string;
  since: number;
}

const isHolder = isShape<Holder>({ pid: isNumber, host: isText, since: isNumber });

/** Longer than any work under a lock may take. */
const staleMillis = 30_000;
const patienceMillis = 20_000;

/**
 * One process at a time, on every platform: neither Bun nor Node has the system's own locks. The lock is a folder with one file,
 * named after its holder. Each step is one that the system does or refuses as a whole:
 *
 * - entering renames a finished folder to `path`, which is refused while a folder with anything in it is there;
 * - leaving, and clearing away a holder that is gone, removes the file of exactly that holder;
 * - an empty folder is nobody's, and removing it is refused as soon as somebody is in it.
 *
 * With a plain file, clearing away a stale lock could hit the one that somebody had taken since.
 */
export async function withFileLock<Result>(
  path: string,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  const id = randomUUID();
  const began = performance.now();
  await mkdir(dirname(path), { recursive: true, mode: 0o700 }).catch(unwritable(path));
  while (!(await enter(path, id))) {
    signal.throwIfAborted();
    if (await isClearedAway(path)) continue;
    if (performance.now() - began > patienceMillis) {
      throw new Failure("timeout", "Another svc process is holding the login lock.", {
        hint: `If none runs, remove the folder '${path}'.`,
      });
    }
    await sleep(20 + Math.random() * 60);
  }
  try {
    return await work();
  } finally {
    // A holder that was too slow has already lost it, and removes nothing of the next holder.
    await clearAway(path, [id]);
  }
}

async function enter(path: string, id: string): Promise<boolean> {
  // Renamed when complete: nobody sees a lock without its holder.
  const draft = `${path}.${id}`;
  const holder: Holder = { pid: process.pid, host: hostname(), since: Date.now() };
  try {
    await mkdir(draft, { mode: 0o700 });
    await writeFile(join(draft, id), JSON.stringify(holder), { mode: 0o600 });
    return await rename(draft, path).then(() => true, unless(path, occupied));
  } catch (error) {
    return unwritable(path)(error);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** True if an immediate retry makes sense: the lock is free, or its holder was gone. */
async function isClearedAway(path: string): Promise<boolean> {
  const holders = await readdir(path).catch(unless(path, absent));
  if (!holders) return true;
  const gone = await Promise.all(holders.map((id) => isGone(join(path, id))));
  if (gone.includes(false)) return false;
  await clearAway(path, holders);
  return true;
}

async function clearAway(path: string, holders: readonly string[]): Promise<void> {
  for (const id of holders) await rm(join(path, id), { force: true }).catch(unwritable(path));
  await rmdir(path).catch(unless(path, [...absent, ...occupied]));
}

async function isGone(file: string): Promise<boolean> {
  const content = await readFile(file, "utf8").catch(unless(file, absent));
  return content === false || isStale(content);
}

function isStale(content: string): boolean {
  const holder = parsedJson(content);
  if (!isHolder(holder)) return true;
  const age = Date.now() - holder.since;
  // A lock from the future was made before the clock was set back.
  if (age > staleMillis || age < -staleMillis) return true;
  return holder.host === hostname() && !isRunning(holder.pid);
}

const absent = ["ENOENT"];
/**
 * How systems say that a folder cannot be replaced or removed, because something is in it; the last two are Windows'.
 */
const occupied = ["ENOTEMPTY", "EEXIST", "EPERM", "EBUSY"];

/** False for an expected error. */
const unless =
  (path: string, expected: readonly string[]) =>
  (error: unknown): false => {
    if (expected.includes(String((error as NodeJS.ErrnoException).code))) return false;
    return unwritable(path)(error);
  };

const unwritable =
  (path: string) =>
  (error: unknown): never => {
    if (error instanceof Failure) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new Failure("disk", `${path} cannot be written: ${code}.`, { cause: error });
  };
