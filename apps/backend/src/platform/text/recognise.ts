import { fileTypeFromBuffer } from "file-type";
import { markedEncoding, unmarkedUtf16 } from "./readers/decode-text.ts";
import type { ParsedFormat } from "./readers/extraction.ts";
import { mediaTypeOfTextFile } from "./text-file-types.ts";

/** What a content is, and who reads it: nobody where it is no text and no format we know. */
export interface Recognised {
  mediaType: string;
  reader?: "text" | "ole" | ParsedFormat;
}

/** How much of a file tells its type. file-type gets no more to see than this. */
export const headBytes = 4096;

/** By content; the name only says which kind of text a text is. */
export async function recognise(head: Buffer, name: string): Promise<Recognised> {
  const format = bySignature(head);
  if (format) return format;
  if (isCleanText(head)) return textKind(head, name);
  // Acrobat, and so everybody, accepts a kilobyte before it. In a clean text, somebody writes about PDF.
  if (head.subarray(0, 1024).includes("%PDF-")) return pdf;
  // Never asked about clean text: two letters are enough for it to see a picture (`BM`).
  const found = await fileTypeFromBuffer(head).catch(() => undefined);
  if (found) return { mediaType: found.mime };
  return isSoiledText(head) ? textKind(head, name) : { mediaType: "application/octet-stream" };
}

const pdf: Recognised = { mediaType: "application/pdf", reader: "pdf" };

/** Formats that we read. Asked before file-type, which would unpack a ZIP here to tell what it is. */
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

/** Text has no control characters but white space, in whichever encoding; binary formats show one within 4 kB. */
function isCleanText(head: Buffer): boolean {
  if (markedEncoding(head) !== undefined || unmarkedUtf16(head) !== undefined) return true;
  // By an expression: each small text that is uploaded comes by here, and a callback for each byte took eight times as long.
  return !control.test(head.toString("latin1"));
}

/** With NULs or the like among its words. Compressed data have more: a tenth of them, and every other byte not ASCII. */
function isSoiledText(head: Buffer): boolean {
  const bytes = head.toString("latin1");
  const share = (kind: RegExp) => (bytes.split(kind).length - 1) / bytes.length;
  return share(control) < 0.2 && share(beyondAscii) < 0.33;
}

/** Neither shown, nor white space or backspace, nor the escape that terminals and ISO-2022-JP have. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it is about.
const control = /[^ -~\x80-\xff\b-\r\x1b]/;
const beyondAscii = /[\x80-\xff]/;

function textKind(head: Buffer, name: string): Recognised {
  const known = mediaTypeOfTextFile(name);
  if (known === "text/html" || known === "image/svg+xml") return { mediaType: known, reader: "html" };
  if (known === "message/rfc822") return { mediaType: known, reader: "mail" };
  if (known !== undefined) return { mediaType: known, reader: "text" };
  const start = head.toString("latin1", 0, 1024);
  if (htmlStart.test(start)) return { mediaType: "text/html", reader: "html" };
  if (startsLikeMail(start)) return { mediaType: "message/rfc822", reader: "mail" };
  return { mediaType: start.startsWith("<?xml") ? "application/xml" : "text/plain", reader: "text" };
}

const htmlStart =
  /^(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^>]*-->\s*)*<(?:!doctype\s+html|html|head|body)[\s>]/i;

/** Nothing but headers up to the first empty line, and two among them that hardly stand together elsewhere. */
function startsLikeMail(start: string): boolean {
  const [headers = ""] = start.split(/\r?\n\r?\n/, 1);
  // A header may go on in the next line; the last one may be cut.
  const lines = headers.split(/\r?\n/).filter((line) => !/^[ \t]/.test(line));
  const names = lines.map((line) => /^([\w-]+):/.exec(line)?.[1]?.toLowerCase());
  if (names.slice(0, -1).includes(undefined)) return false;
  const has = (...wanted: string[]) => wanted.some((name) => names.includes(name));
  return has("received", "return-path", "message-id", "mime-version") && has("from", "to", "subject", "date");
}
