import { type FileHandle, open } from "node:fs/promises";
import { lookIntoOleStorage } from "./ole-storage.ts";
import { decodeText } from "./readers/decode-text.ts";
import type { Extraction, Outcome } from "./readers/extraction.ts";
import { maxTextBytes } from "./readers/extraction-limits.ts";
import { headBytes, recognise } from "./recognise.ts";
import { type ReadingOptions, runReader } from "./run-reader.ts";
import { mediaTypeOfTextFile } from "./text-file-types.ts";

export type { Extraction, Outcome };

/** Stored with the text: a higher version means that rereading may find more. */
export const extractorVersion = 1;

export interface DocumentToRead {
  /** Path on this machine; a function if the file is written only when a parser needs it. */
  path: string | (() => Promise<string>);
  /** The name that people see; its extension distinguishes kinds of text. */
  name: string;
  size: number;
  /** The whole content, if already in memory; a parser still gets the file. */
  bytes?: Buffer;
}

/**
 * The text of a file, for search. Plain text is decoded here (a 4 kB file in a fraction of a millisecond); formats that
 * need a parser are read in a separate process. Even a hostile file gives an outcome; it throws only on abort or if the
 * file does not exist.
 */
export async function extractText(
  document: DocumentToRead,
  options: ReadingOptions = {},
): Promise<Extraction> {
  options.signal?.throwIfAborted();
  let file: FileHandle | undefined;
  const opened = async () => {
    const { path } = document;
    file ??= await open(typeof path === "string" ? path : await path(), "r");
    return file;
  };
  try {
    const head =
      document.bytes?.subarray(0, headBytes) ??
      (await readStart(await opened(), Math.min(document.size, headBytes)));
    if (head.length === 0) {
      return { outcome: "empty", text: "", mediaType: mediaTypeOfTextFile(document.name) ?? "text/plain" };
    }
    const { mediaType, reader } = await recognise(head, document.name);
    if (reader === undefined) return { outcome: "unsupported", text: "", mediaType };
    if (reader === "text") {
      const bytes = document.bytes ?? (document.size <= head.length ? head : undefined);
      const start = bytes ?? (await readStart(await opened(), Math.min(document.size, maxTextBytes)));
      return { ...readText(start, document.size), mediaType };
    }
    if (reader === "ole") {
      const { isEncrypted, mediaType } = await lookIntoOleStorage(await opened(), head);
      return { outcome: isEncrypted ? "encrypted" : "unsupported", text: "", mediaType };
    }
    const result = await runReader(reader, (await opened()).fd, options);
    return { mediaType, ...result, text: result.outcome === "empty" ? "" : result.text };
  } finally {
    await file?.close();
  }
}

function readText(bytes: Buffer, size: number): { outcome: Outcome; text: string } {
  const isCut = size > maxTextBytes;
  const decoded = decodeText(bytes, { isCut });
  const text = keptStart(decoded);
  if (isCut || text.length < decoded.length) return { outcome: "truncated", text };
  return /\S/.test(text) ? { outcome: "ok", text } : { outcome: "empty", text: "" };
}

/** A byte of another encoding, or a broken one, can take three bytes in UTF-8. */
function keptStart(text: string): string {
  if (text.length * 3 <= maxTextBytes || Buffer.byteLength(text) <= maxTextBytes) return text;
  const { read } = new TextEncoder().encodeInto(text, Buffer.allocUnsafe(maxTextBytes));
  return text.slice(0, read);
}

async function readStart(file: FileHandle, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}
