import { type Entry, fromFdPromise, type ZipFile } from "yauzl";
import {
  maxArchiveEntries,
  maxCompressionRatio,
  maxUnpackedBytes,
  minSuspiciousBytes,
} from "./extraction-limits.ts";
import { ReadingEnded } from "./reading-ended.ts";

/**
 * A ZIP whose directory is checked before anything is unpacked. Names are keys, never paths: nothing is written to
 * disk, and nested archives are not opened.
 */
export class Archive {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip;
    this.#entries = entries;
  }

  static async open(descriptor: number): Promise<Archive> {
    // Sizes are counted in read(). Names are not checked: `../` in one is not a reason to refuse the others.
    const zip = await fromFdPromise(descriptor, { decodeStrings: false, validateEntrySizes: false });
    if (zip.entryCount > maxArchiveEntries) throw new ReadingEnded("too_large");
    const entries: Entry[] = [];
    for await (const entry of zip.eachEntry()) entries.push(entry);
    requireApart(entries);
    return new Archive(zip, new Map(entries.map((entry) => [entry.fileNameRaw.toString(), entry])));
  }

  get names(): string[] {
    return [...this.#entries.keys()];
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** Checked before the first entry is read, so that a bomb yields nothing. */
  requireReadable(names: string[]): void {
    const entries = names.map((name) => this.#entry(name));
    if (entries.some((entry) => entry.isEncrypted())) throw new ReadingEnded("encrypted");
    const unpacked = entries.reduce((sum, entry) => sum + entry.uncompressedSize, 0);
    if (unpacked > maxUnpackedBytes || entries.some(isBomb)) throw new ReadingEnded("too_large");
  }

  async *read(name: string): AsyncIterable<Buffer> {
    this.requireReadable([name]);
    const entry = this.#entry(name);
    const stream = await this.#zip.openReadStreamPromise(entry);
    let counted = 0;
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      counted += chunk.length;
      // It declared less.
      if (counted > entry.uncompressedSize) throw new ReadingEnded("too_large");
      yield chunk;
    }
  }

  #entry(name: string): Entry {
    const entry = this.#entries.get(name);
    if (!entry) throw new Error(`the archive lacks ${name}`);
    return entry;
  }
}

function isBomb({ uncompressedSize, compressedSize }: Entry): boolean {
  return uncompressedSize > minSuspiciousBytes && uncompressedSize > compressedSize * maxCompressionRatio;
}

/** Entries that share their bytes are how 10 MB unpack to 281 TB without a high ratio in any of them (D. Fifield, 2019). */
function requireApart(entries: Entry[]): void {
  const localHeaderBytes = 30;
  let end = 0;
  for (const entry of entries.toSorted(
    (a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader,
  )) {
    if (entry.relativeOffsetOfLocalHeader < end) throw new ReadingEnded("too_large");
    end = entry.relativeOffsetOfLocalHeader + localHeaderBytes + entry.fileNameLength + entry.compressedSize;
  }
}
