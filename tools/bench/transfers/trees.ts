import { randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { appendFile, mkdir, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { benchSize } from "../bench-size.ts";
import { Dice, drawText } from "../fulltext/words.ts";

/** What is sent: a folder, or one file. */
export interface Tree {
  name: string;
  path: string;
  files: number;
  /** A file of the folder that changes between two transfers. */
  changing?: string;
}

const smallFiles = benchSize(2_000, 30);
const smallBytes = 4_096;
const mixedFiles = benchSize(20_000, 40);
const largeBytes = benchSize(1024 ** 3, 4 * 1024 ** 2);
const filesInFolder = 100;

export function makeSmallFiles(folder: string): Promise<Tree> {
  return makeFolder(folder, "small", smallFiles, () => smallBytes);
}

/** Most are small; one in a hundred has a megabyte. */
export function makeMixedFiles(folder: string): Promise<Tree> {
  const dice = new Dice(7);
  return makeFolder(folder, "mixed", mixedFiles, () =>
    dice.next() < 0.01 ? 1_000_000 : Math.round(200 * 50 ** dice.next()),
  );
}

export async function makeLargeFile(folder: string): Promise<Tree> {
  const path = join(folder, "large.bin");
  await pipeline(Readable.from(randomPieces(largeBytes)), createWriteStream(path));
  return { name: "large.bin", path, files: 1 };
}

/** A company's share: mostly pictures and the like, and one text in ten; 5 GB. */
export async function makeManyFiles(folder: string): Promise<Tree> {
  const path = join(folder, "many");
  const files = benchSize(100_000, 300);
  const dice = new Dice(9);
  const noise = randomBytes(200_000);
  for (let index = 0; index < files; index += 1) {
    const place = join(path, `part-${Math.floor(index / 1_000)}`);
    if (index % 1_000 === 0) await mkdir(place, { recursive: true });
    if (index % 10 === 0) await writeFile(join(place, `note-${index}.txt`), textOf(4_000, dice));
    else {
      // No two are the same.
      const bytes = noise.subarray(0, dice.between(1_000, 110_000));
      bytes.writeUInt32LE(index);
      await writeFile(join(place, `picture-${index}.bin`), bytes);
    }
  }
  return { name: "many", path, files };
}

/** Zeros, which take no room here. */
export async function makeSparseFile(folder: string): Promise<{ path: string; gigabytes: number }> {
  const gigabytes = benchSize(10, 0.05);
  const path = join(folder, "sparse.bin");
  await writeFile(path, "");
  await truncate(path, gigabytes * 1e9);
  return { path, gigabytes };
}

/** One more line in one file. */
export async function change({ path, changing }: Tree): Promise<void> {
  if (changing !== undefined) await appendFile(join(path, changing), "changed\n");
}

async function makeFolder(folder: string, name: string, files: number, bytes: () => number): Promise<Tree> {
  const path = join(folder, name);
  const names = Array.from({ length: files }, (_, index) =>
    join(`part-${Math.floor(index / filesInFolder)}`, `file-${index}.txt`),
  );
  for (let index = 0; index < files; index += filesInFolder)
    await mkdir(join(path, `part-${index / filesInFolder}`), { recursive: true });
  const dice = new Dice(files);
  for (const each of names) await writeFile(join(path, each), textOf(bytes(), dice));
  return { name, path, files, changing: names[Math.floor(files / 2)] ?? "" };
}

/** Words, as people write them: a rival that compresses or indexes has something to do. */
function textOf(bytes: number, dice: Dice): string {
  let text = "";
  while (text.length < bytes) text += `${drawText(dice)}\n`;
  return text.slice(0, bytes);
}

function* randomPieces(bytes: number): Generator<Buffer> {
  const most = 4 * 1024 ** 2;
  for (let left = bytes; left > 0; left -= most) yield randomBytes(Math.min(left, most));
}
