import { DocumentFile } from "./document-file.ts";
import type { Outcome, ParsedFormat } from "./extraction.ts";
import { ReadingEnded } from "./reading-ended.ts";
import { TextOutput } from "./text-output.ts";

/**
 * The process that reads one document, and then ends. It gets the document as a descriptor and can open only its own
 * code. It cannot use standard output, because anything that a library prints there would count as text.
 */
const documentDescriptor = 3;
const resultDescriptor = 4;

type Reader = (document: DocumentFile, text: TextOutput) => Promise<void>;

/** Loaded when needed: unpdf alone takes 100 ms of CPU, the others 10 to 30. */
const readers: Record<ParsedFormat, () => Promise<Reader>> = {
  pdf: async () => (await import("./read-pdf.ts")).readPdf,
  archive: async () => (await import("./read-archive.ts")).readArchive,
  html: async () => (await import("./read-html.ts")).readHtml,
  mail: async () => (await import("./read-mail.ts")).readMail,
  rtf: async () => (await import("./read-rtf.ts")).readRtf,
};

const document = new DocumentFile(documentDescriptor);
const text = new TextOutput(resultDescriptor);
const outcome = await read(process.argv[2] as ParsedFormat);
text.end({ outcome, mediaType: document.mediaType });

async function read(format: ParsedFormat): Promise<Outcome> {
  try {
    const reader = await readers[format]();
    await reader(document, text);
    text.flush();
    return text.isEmpty ? "empty" : "ok";
  } catch (error) {
    return error instanceof ReadingEnded ? error.outcome : "crash";
  }
}
