import { fileTypeFromBuffer } from "file-type";
import { markedEncoding, unmarkedUtf16 } from "./readers/decode-text.ts";
import type { ParsedFormat } from "./readers/extraction.ts";
import { mediaTypeOfTextFile } from "./text-file-types.ts";

/** The type of a content and its reader; no reader if it is neither text nor a known format. */
export interface Recognised {
  mediaType: string;
  reader?: "text" | "ole" | ParsedFormat;
}

/** How much of a file decides its type. file-type sees no more than this. */
export const headBytes = 4096;

/** By content; the name only distinguishes kinds of text. */
export async function recognise(head: Buffer, name: string): Promise<Recognised> {
  const format = bySignature(head);
  if (format) return format;
  if (isCleanText(head)) return textKind(head, name);
  // Acrobat, and so everybody, accepts a kilobyte before it. A clean text only mentions PDF.
  if (head.subarray(0, 1024).includes("%PDF-")) return pdf;
  // Never called for clean text: two letters are enough for it to see a picture (`BM`).
  const found = await fileTypeFromBuffer(head).catch(() => undefined);
  if (found) return { mediaType: found.mime };
  return isSoiledText(head) ? textKind(head, name) : { mediaType: "application/octet-stream" };
}

const pdf: Recognised = { mediaType: "application/pdf", reader: "pdf" };

/** Formats that we read. Checked before file-type, which would unpack a ZIP to identify it. */
function bySignature(head: Buffer): Recognised | undefined {
  const start = head.toString("latin1", 0, 64);
  if (start.startsWith("PK\x03\x04") || start.startsWith("PK\x05\x06")) {
    return { mediaType: "application/zip", reader: "archive" };
  }
  if (/^\s*%PDF-/.test(start)) return pdf;
  if (start.startsWith("{\\rtf")) return { mediaType: "application/rtf", reader: "rtf" };
  if (start.startsWith("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")) {
    return { mediaType: "application/x-cfb", reader: "ole" };
  }
  return undefined;
}

/** Text has no control characters except white space, in any encoding; binary formats have one within 4 kB. */
function isCleanText(head: Buffer): boolean {
  if (markedEncoding(head) !== undefined || unmarkedUtf16(head) !== undefined) return true;
  // A regular expression, because every small uploaded text passes here, and a callback per byte took eight times as
  // long.
  return !control.test(head.toString("latin1"));
}

/**
 * Text with some NULs or other control characters. Compressed data has more: a tenth control characters, and every
 * other byte not ASCII.
 */
function isSoiledText(head: Buffer): boolean {
  const bytes = head.toString("latin1");
  const share = (kind: RegExp) => (bytes.split(kind).length - 1) / bytes.length;
  return share(control) < 0.2 && share(beyondAscii) < 0.33;
}

/** Control characters other than white space, backspace and the escape that terminals and ISO-2022-JP use. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression is about them.
const control = /[^ -~\x80-\xff\b-\r\x1b]/;
const beyondAscii = /[\x80-\xff]/;

function textKind(head: Buffer, name: string): Recognised {
  const mediaType = mediaTypeOfTextFile(name);
  if (mediaType === "text/html" || mediaType === "image/svg+xml") return { mediaType, reader: "html" };
  if (mediaType === "message/rfc822") return { mediaType, reader: "mail" };
  if (mediaType !== undefined) return { mediaType, reader: "text" };
  const start = head.toString("latin1", 0, 1024);
  if (htmlStart.test(start)) return { mediaType: "text/html", reader: "html" };
  if (startsLikeMail(start)) return { mediaType: "message/rfc822", reader: "mail" };
  return { mediaType: start.startsWith("<?xml") ? "application/xml" : "text/plain", reader: "text" };
}

const htmlStart =
  /^(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^>]*-->\s*)*<(?:!doctype\s+html|html|head|body)[\s>]/i;

/** Only headers up to the first empty line, two of which rarely appear together elsewhere. */
function startsLikeMail(start: string): boolean {
  const [headers = ""] = start.split(/\r?\n\r?\n/, 1);
  // A header may continue on the next line; the last one may be truncated.
  const lines = headers.split(/\r?\n/).filter((line) => !/^[ \t]/.test(line));
  const names = lines.map((line) => /^([\w-]+):/.exec(line)?.[1]?.toLowerCase());
  if (names.slice(0, -1).includes(undefined)) return false;
  const has = (...wanted: string[]) => wanted.some((name) => names.includes(name));
  return has("received", "return-path", "message-id", "mime-version") && has("from", "to", "subject", "date");
}
