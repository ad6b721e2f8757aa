import { Archive } from "./archive.ts";
import type { DocumentFile } from "./document-file.ts";
import { readOpenDocument } from "./office/read-open-document.ts";
import { readOpenXml } from "./office/read-open-xml.ts";
import { ReadingEnded } from "./reading-ended.ts";
import type { TextOutput } from "./text-output.ts";

/** The directory of a ZIP decides its format: office formats are archives with parts of known names. */
export async function readArchive(document: DocumentFile, text: TextOutput): Promise<void> {
  document.mediaType = "application/zip";
  const archive = await Archive.open(document.descriptor);
  if (archive.has("[Content_Types].xml")) return readOpenXml(archive, document, text);
  if (archive.has("mimetype")) return readOpenDocument(archive, document, text);
  throw new ReadingEnded("unsupported");
}
