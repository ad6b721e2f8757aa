import { randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { appendFile, mkdir, writeFile } from "node:fs/promises";
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
