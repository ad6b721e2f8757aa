import { fileURLToPath } from "node:url";
import { getDocumentProxy } from "unpdf";
import type { DocumentFile } from "./document-file.ts";
import { maxPdfBytes } from "./extraction-limits.ts";
import { ReadingEnded } from "./reading-ended.ts";
import type { TextOutput } from "./text-output.ts";

/** A page tree can claim a billion pages and have none. */
const maxDamagedPagesInARow = 20;

export async function readPdf(document: DocumentFile, text: TextOutput): Promise<void> {
  if (document.size > maxPdfBytes) throw new ReadingEnded("too_large");
  const pdf = await open(document.readStart(maxPdfBytes));
  let damagedInARow = 0;
  for (let number = 1; number <= pdf.numPages; number += 1) {
    try {
      await readPage(pdf, number, text);
      damagedInARow = 0;
    } catch (error) {
      damagedInARow += 1;
      if (error instanceof ReadingEnded || damagedInARow === maxDamagedPagesInARow) throw error;
      if (number === pdf.numPages && text.isEmpty) throw error;
    }
  }
}

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

async function open(content: Buffer): Promise<Pdf> {
  try {
    return await getDocumentProxy(new Uint8Array(content.buffer, content.byteOffset, content.length), {
      verbosity: 0,
      disableFontFace: true,
      useWasm: false,
      useWorkerFetch: false,
      // Without them a PDF whose Japanese font is not embedded has no text at all. unpdf brings none; of pdfjs-dist
      // itself only these tables are used (its code takes 450 ms to start, unpdf's 140).
      cMapUrl: fileURLToPath(import.meta.resolve("pdfjs-dist/cmaps/")),
      cMapPacked: true,
    });
  } catch (error) {
    throw (error as Error).name === "PasswordException" ? new ReadingEnded("encrypted") : error;
  }
}

async function readPage(pdf: Pdf, number: number, text: TextOutput): Promise<void> {
  const page = await pdf.getPage(number);
  const { items } = await page.getTextContent();
  for (const item of items) {
    if ("str" in item) text.write(item.hasEOL ? `${item.str}\n` : item.str);
  }
  text.write("\n");
  text.flush();
  page.cleanup();
}
