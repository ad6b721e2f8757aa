import { TextDecoder } from "node:util";
import { decodeText } from "./decode-text.ts";
import type { DocumentFile } from "./document-file.ts";
import { maxMarkupBytes } from "./extraction-limits.ts";
import { ReadingEnded } from "./reading-ended.ts";
import type { TextOutput } from "./text-output.ts";
import { writeHtml } from "./write-html.ts";

/** HTML and similar formats (SVG). */
export async function readHtml(document: DocumentFile, text: TextOutput): Promise<void> {
  const bytes = document.readStart(maxMarkupBytes);
  const isCut = bytes.length < document.size;
  writeHtml(declaredEncoding(bytes)?.decode(bytes) ?? decodeText(bytes, { isCut }), text);
  if (isCut) throw new ReadingEnded("truncated");
}

/** `<meta charset>` within the first kilobyte, as browsers look for it. If it says UTF-8, check whether that is true. */
function declaredEncoding(bytes: Buffer): TextDecoder | undefined {
  const [, label = "utf-8"] =
    /<meta[^<>]+charset\s*=\s*["']?([\w-]{1,40})/i.exec(bytes.toString("latin1", 0, 1024)) ?? [];
  try {
    const decoder = new TextDecoder(label);
    return decoder.encoding.startsWith("utf-") ? undefined : decoder;
  } catch {
    return undefined;
  }
}
