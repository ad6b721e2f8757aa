import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { contentOf } from "../blobs/content.ts";
import { type Extraction, extractText } from "../text/extract-text.ts";
import type { ReadingOptions } from "../text/run-reader.ts";

/** A file that a caller sent for one argument of one call. It is gone when the call ends, unless the command kept it. */
export interface StagedFile {
  /** The path as typed; only its last part says anything about the content. */
  path: string;
  size: number;
  sha256: string;
  read(): Readable;
  /** Its words, for searching; read once. Whatever is in it, this ends, and says how. */
  text(options?: ReadingOptions): Promise<Extraction>;
  /** Where it is a folder: what is in it. Its own content is the archive that it came in. */
  entries?: readonly StagedEntry[];
}

/** Something in a folder that a caller sent. */
export interface StagedEntry {
  /** From the folder down; checked by whoever makes something of that name. */
  names: readonly string[];
  /** Absent for a folder. */
  file?: StagedFile;
}

/** What stands at `place`, or will where somebody asks for it there; from its bytes where they are at hand. */
export function stagedFile(
  known: { path: string } & (
    | { bytes: Buffer; place: string | (() => Promise<string>) }
    | { size: number; sha256: string; place: string }
  ),
): StagedFile {
  const { path, place } = known;
  const content =
    "bytes" in known
      ? contentOf(known.bytes)
      : { size: known.size, sha256: known.sha256, read: () => createReadStream(known.place) };
  let text: ReturnType<StagedFile["text"]> | undefined;
  return {
    path,
    ...content,
    text: (options) => {
      const document = { path: place, name: path, size: content.size };
      text ??= extractText("bytes" in known ? { ...document, bytes: known.bytes } : document, options);
      return text;
    },
  };
}

/** For a folder: the files in it, not the archive it came in. */
export function contentsToStore(uploads: ReadonlyMap<string, StagedFile> | undefined): StagedFile[] {
  return [...(uploads?.values() ?? [])].flatMap((upload) =>
    upload.entries ? upload.entries.flatMap(({ file }) => file ?? []) : [upload],
  );
}
