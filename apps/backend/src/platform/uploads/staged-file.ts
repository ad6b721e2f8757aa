import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { contentOf } from "../blobs/content.ts";
import { type Extraction, extractText } from "../text/extract-text.ts";
import type { ReadingOptions } from "../text/run-reader.ts";

/**
 * A file that a caller sent for one argument of one call. It is deleted when the call ends, unless the command stored
 * it.
 */
export interface StagedFile {
  /** The path as typed; only its last part says anything about the content. */
  path: string;
  size: number;
  sha256: string;
  read(): Readable;
  /** Its text, for search; read once. Always ends with an outcome, whatever the file contains. */
  text(options?: ReadingOptions): Promise<Extraction>;
  /** For a folder: its entries. Its own content is the archive. */
  entries?: readonly StagedEntry[];
}

/** Something in a folder that a caller sent. */
export interface StagedEntry {
  /** Relative to the folder; checked by the code that creates something with that name. */
  names: readonly string[];
  /** Absent for a folder. */
  file?: StagedFile;
}

/** The file at `place`, written there only on demand; read from memory if its bytes are at hand. */
export function stagedFile(
  facts: { path: string } & (
    | { bytes: Buffer; place: string | (() => Promise<string>) }
    | { size: number; sha256: string; place: string }
  ),
): StagedFile {
  const { path, place } = facts;
  const content =
    "bytes" in facts
      ? contentOf(facts.bytes)
      : { size: facts.size, sha256: facts.sha256, read: () => createReadStream(facts.place) };
  let text: ReturnType<StagedFile["text"]> | undefined;
  return {
    path,
    ...content,
    text: (options) => {
      const document = { path: place, name: path, size: content.size };
      text ??= extractText("bytes" in facts ? { ...document, bytes: facts.bytes } : document, options);
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
