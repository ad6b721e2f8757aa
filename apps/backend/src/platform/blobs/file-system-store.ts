import { createHash, randomUUID } from "node:crypto";
import { constants, type Dirent } from "node:fs";
import {
  copyFile,
  type FileHandle,
  link,
  mkdir,
  open,
  opendir,
  rename,
  rm,
  stat,
  utimes,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { countBlock } from "../process/collect-blocks.ts";
import { type BlobStore, type ByteRange, type OwnFile, parseBlobKey, type Written } from "./blob-store.ts";
import { forEach } from "./for-each.ts";
import { syncAll, syncOne } from "./sync-disk.ts";

const pendingEnding = ".pending";

/** With Node's 64 kB a download costs the API a third more. */
const readBytes = 512 * 1_024;

/** Up to here, opening a stream for a range costs more than reading it. */
const smallBytes = 256 * 1_024;

/** Objects as files, `<tenant>/<end of the key>/<key>`; a file that is being written has a special extension. */
export class FileSystemStore implements BlobStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = join(folder, "objects");
  }

  async write(key: string, content: Readable): Promise<Written> {
    const place = this.#place(key);
    const pending = `${place}${pendingEnding}`;
    try {
      const written = await writeDurably(await openNew(pending), content);
      await rename(pending, place);
      await syncOne(dirname(place));
      return written;
    } catch (error) {
      await rm(pending, { force: true });
      await rm(place, { force: true });
      throw error;
    }
  }

  async adopt(files: readonly OwnFile[]): Promise<void> {
    const folders = new Set<string>();
    await forEach(files, linksAtOnce, async ({ key, place }) => {
      const object = this.#place(key);
      await linkOrCopy(place, object);
      // The sweep takes an old object without a row for a lost one.
      await utimes(object, new Date(), new Date());
      folders.add(dirname(object));
    });
    if (folders.size > 0) await syncAll(this.#folder, [...folders]);
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    // Opened here and not by the stream, so that a missing file is reported before an answer begins.
    const file = await open(this.#place(key));
    if (range && range.end - range.start < smallBytes) return readAtOnce(file, range);
    return file.createReadStream({ ...range, highWaterMark: readBytes });
  }

  async remove(key: string): Promise<void> {
    await rm(this.#place(key), { force: true });
  }

  async *list(before: Date): AsyncIterable<string> {
    for await (const { name } of this.#filesOlderThan(before)) if (parseBlobKey(name)) yield name;
  }

  /** Writes a block, because an empty file fits on a full disk. */
  async check(): Promise<void> {
    const place = join(this.#folder, `check-${randomUUID()}${pendingEnding}`);
    const file = await openNew(place);
    try {
      await file.writeFile(Buffer.alloc(4_096));
    } finally {
      await file.close();
      await rm(place, { force: true });
    }
  }

  async removeUnfinished(before: Date): Promise<number> {
    let removed = 0;
    for await (const { name, place } of this.#filesOlderThan(before)) {
      if (!name.endsWith(pendingEnding)) continue;
      await rm(place, { force: true });
      removed += 1;
    }
    return removed;
  }

  async *#filesOlderThan(before: Date): AsyncIterable<{ name: string; place: string }> {
    const entries: AsyncIterable<Dirent> | undefined = await opendir(this.#folder, { recursive: true }).catch(
      absent,
    );
    for await (const entry of entries ?? []) {
      if (!entry.isFile()) continue;
      const place = join(entry.parentPath, entry.name);
      const found = await stat(place).catch(absent);
      if (found && found.mtime < before) yield { name: entry.name, place };
    }
  }

  /** By the end of the key: a UUID may begin with the time, and one folder would get all of today's objects. */
  #place(key: string): string {
    const parsed = parseBlobKey(key);
    if (!parsed) throw new Error(`${key} is not a blob key`);
    return join(this.#folder, parsed.tenantId, key.slice(-2), key);
  }
}

/** The folder already exists for all but the first few. */
function openNew(place: string): Promise<FileHandle> {
  const create = () => open(place, "wx", 0o600);
  return create().catch(async (error: NodeJS.ErrnoException) => {
    absent(error);
    await makeFolder(dirname(place));
    return create();
  });
}

/** Without a write stream and a transform, which cost more than writing a small file. */
async function writeDurably(file: FileHandle, content: Readable): Promise<Written> {
  const digest = createHash("sha256");
  let size = 0;
  try {
    for await (const chunk of content as AsyncIterable<Buffer>) {
      digest.update(chunk);
      size += chunk.length;
      await file.writeFile(chunk);
      countBlock(chunk.length);
    }
    await file.sync();
    return { size, sha256: digest.digest("hex") };
  } finally {
    await file.close();
  }
}

async function readAtOnce(file: FileHandle, { start, end }: ByteRange): Promise<Readable> {
  try {
    const content = Buffer.allocUnsafe(end - start + 1);
    let filled = 0;
    while (filled < content.length) {
      const { bytesRead } = await file.read(content, filled, content.length - filled, start + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return Readable.from([content.subarray(0, filled)]);
  } finally {
    await file.close();
  }
}

const linksAtOnce = 8;

async function linkOrCopy(from: string, to: string): Promise<void> {
  const create = () => link(from, to);
  const created = create().catch(async (error: NodeJS.ErrnoException) => {
    absent(error);
    await makeFolder(dirname(to));
    return create();
  });
  await created.catch(async (error: NodeJS.ErrnoException) => {
    // Another disk, or a file system without links.
    if (!/^(EXDEV|EPERM|ENOTSUP|EOPNOTSUPP|EMLINK)$/.test(error.code ?? "")) throw error;
    const pending = `${to}${pendingEnding}`;
    await copyFile(from, pending, constants.COPYFILE_EXCL);
    const file = await open(pending, "r+");
    try {
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(pending, to);
  });
}

async function makeFolder(folder: string): Promise<void> {
  const topmostMade = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (topmostMade === undefined) return;
  for (let made = folder; made.length >= topmostMade.length; made = dirname(made))
    await syncOne(dirname(made));
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
