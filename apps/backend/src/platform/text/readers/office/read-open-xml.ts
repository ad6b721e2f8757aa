import type { Archive } from "../archive.ts";
import type { DocumentFile } from "../document-file.ts";
import { ReadingEnded } from "../reading-ended.ts";
import type { TextOutput } from "../text-output.ts";
import { listParts, partsOf } from "./open-xml-parts.ts";
import { readOpenXmlParagraphs } from "./read-open-xml-paragraphs.ts";
import { readWorkbook } from "./read-workbook.ts";

/** Parts with text, in reading order; by type, because producers choose the names (`document2.xml`). */
const paragraphParts = {
  document: [
    /\.main\+xml$/,
    /\.footnotes\+xml$/,
    /\.endnotes\+xml$/,
    /\.comments\+xml$/,
    /\.header\+xml$/,
    /\.footer\+xml$/,
  ],
  presentation: [/\.slide\+xml$/, /\.notesSlide\+xml$/, /\.comments\+xml$/],
} as const;

/** SmartArt, which is in a separate part. */
const diagramPart = /\.diagramData\+xml$/;

/** DOCX, PPTX and XLSX, with their templates, shows and macro-enabled variants. */
export async function readOpenXml(archive: Archive, document: DocumentFile, text: TextOutput): Promise<void> {
  const parts = await listParts(archive);
  const main = parts.find(({ contentType }) => contentType.endsWith(".main+xml"));
  if (!main) throw new ReadingEnded("unsupported");
  document.mediaType = main.contentType.slice(0, -".main+xml".length);
  if (/spreadsheetml|ms-excel/.test(main.contentType)) return readWorkbook(archive, parts, text);
  const wanted = /wordprocessingml|ms-word/.test(main.contentType)
    ? paragraphParts.document
    : /presentationml|ms-powerpoint/.test(main.contentType)
      ? paragraphParts.presentation
      : undefined;
  if (!wanted) throw new ReadingEnded("unsupported");
  const chosen = [...wanted, diagramPart].flatMap((type) => partsOf(parts, type));
  archive.requireReadable(chosen);
  for (const name of chosen) await readOpenXmlParagraphs(archive.read(name), text);
}
