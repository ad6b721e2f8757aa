import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { ProblemError } from "@svc/protocol/problem";
import { contentOf } from "../blobs/content.ts";
import { type Extraction, extractText } from "../text/extract-text.ts";
import type { ReadingOptions } from "../text/run-reader.ts";
import { KeptTexts } from "./kept-texts.ts";

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
  /** Its file on this machine, durable and never changed again, for a store that can take it as it is. */
  place?: string;
  /** Only its size and digest are known, as the caller says them. */
  isDescribed?: true;
  /** Its text, for search; read once. Always ends with an outcome, whatever the file contains. */
  text(options?: ReadingOptions): Promise<Extraction>;
  /** For a folder: its entries; it has no content itself. */
  entries?: readonly StagedEntry[];
  /** For a folder: see `ManifestHead`. */
  leftOut?: readonly string[];
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
    | { size: number; sha256: string; place: string; isFinal?: true; texts?: KeptTexts }
  ),
): StagedFile {
  const { path, place } = facts;
  const content =
    "bytes" in facts
      ? contentOf(facts.bytes)
      : {
          size: facts.size,
          sha256: facts.sha256,
          ...(facts.isFinal ? { place: facts.place } : {}),
          read: () => createReadStream(facts.place),
        };
  let kept: Promise<() => Promise<Extraction>> | undefined;
  const extract = async (options?: ReadingOptions) => {
    const document = { path: place, name: path, size: content.size };
    if ("bytes" in facts) {
      const extraction = await extractText({ ...document, bytes: facts.bytes }, options);
      return async () => extraction;
    }
    const extraction = await extractText(document, options);
    return (facts.texts ?? new KeptTexts()).keep(facts.place, extraction);
  };
  return {
    path,
    ...content,
    text: async (options) => {
      kept ??= extract(options);
      return (await kept)();
    },
  };
}

/** A content that is not here: equal to one that is stored, or not needed for a preview. */
export function describedFile(facts: Pick<StagedFile, "path" | "size" | "sha256">): StagedFile {
  const missing = () => {
    throw new ProblemError("conflict", `\`${facts.path}\` has not arrived.`, { hint: "Repeat the line." });
  };
  return { ...facts, isDescribed: true, read: missing, text: async () => missing() };
}

export function stagedFolder(
  path: string,
  entries: readonly StagedEntry[],
  leftOut: readonly string[],
): StagedFile {
  return { ...describedFile({ path, size: 0, sha256: "" }), entries, leftOut };
}

export function filesOf(upload: StagedFile): StagedFile[] {
  return upload.entries ? upload.entries.flatMap(({ file }) => file ?? []) : [upload];
}

/** For a folder: the files in it. */
export function contentsToStore(uploads: ReadonlyMap<string, StagedFile> | undefined): StagedFile[] {
  return [...(uploads?.values() ?? [])].flatMap((upload) =>
    filesOf(upload).filter(({ isDescribed }) => !isDescribed),
  );
}
