import { randomUUID } from "node:crypto";
import { link, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isNumber, isShape, isText, parsedJson } from "@svc/protocol/shape";
import { Failure } from "./failure.ts";
import { isRunning } from "./is-running.ts";

interface Holder {
  id: string;
  pid: number;
  host: string;
  since: number;
}

const isHolder = isShape<Holder>({ id: isText, pid: isNumber, host: isText, since: isNumber });

/** Longer than anything that is done under a lock may take. */
const staleMillis = 30_000;
const patienceMillis = 20_000;

/** One process at a time, on every platform: neither Bun nor Node has the system's own locks. */
export async function withFileLock<Result>(
  path: string,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  const held = JSON.stringify({ id: randomUUID(), pid: process.pid, host: hostname(), since: Date.now() });
  const began = performance.now();
  await mkdir(dirname(path), { recursive: true, mode: 0o700 }).catch(unwritable(path));
  while (!(await create(path, held))) {
    signal.throwIfAborted();
    if (await removeStale(path)) continue;
    if (performance.now() - began > patienceMillis) {
      throw new Failure("timeout", "Another svc is busy with the login and does not come to an end.", {
        hint: `If none runs, remove '${path}'.`,
      });
    }
    await sleep(20 + Math.random() * 60);
  }
  try {
    return await work();
  } finally {
    // Who was too slow has lost it to somebody else, whose it is now.
    if ((await contentOf(path)) === held) await rm(path, { force: true });
  }
}

async function create(path: string, held: string): Promise<boolean> {
  // Linked when it is complete: nobody sees a lock without its holder.
  const draft = `${path}.${randomUUID()}`;
  try {
    const file = await open(draft, "wx", 0o600);
    await file.writeFile(held).finally(() => file.close());
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    return unwritable(path)(error);
  } finally {
    await rm(draft, { force: true });
  }
}

/** True where it is worth trying again at once. */
async function removeStale(path: string): Promise<boolean> {
  const seen = await contentOf(path);
  if (seen === undefined) return true;
  if (!isStale(seen)) return false;
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
    // Somebody else removed the stale one first, and what was moved is the lock of a third: it is put back.
    if ((await contentOf(aside)) !== seen) await link(aside, path).catch(() => {});
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") return unwritable(path)(error);
  } finally {
    await rm(aside, { force: true });
  }
  return true;
}

function isStale(content: string): boolean {
  const holder = parsedJson(content);
  if (!isHolder(holder)) return true;
  const age = Date.now() - holder.since;
  // A lock from the future was made before the clock was put back.
  if (age > staleMillis || age < -staleMillis) return true;
  return holder.host === hostname() && !isRunning(holder.pid);
}

async function contentOf(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    return unwritable(path)(error);
  });
}

const unwritable =
  (path: string) =>
  (error: unknown): never => {
    const { code } = error as NodeJS.ErrnoException;
    throw new Failure("disk", `${path} cannot be written: ${code}.`, { cause: error });
  };
