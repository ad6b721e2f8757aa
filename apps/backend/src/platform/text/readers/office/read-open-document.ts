import type { Archive } from "../archive.ts";
import type { DocumentFile } from "../document-file.ts";
import { ReadingEnded } from "../reading-ended.ts";
import type { TextOutput } from "../text-output.ts";
import { readXml } from "./read-xml.ts";

const readable = /^application\/vnd\.oasis\.opendocument\.(text|spreadsheet|presentation)/;

/** Elements that end a word. */
const separators = new Map(
  Object.entries({
    p: "\n",
    h: "\n",
    "line-break": "\n",
    tab: "\t",
    s: " ",
    "table-cell": "\t",
    "table-row": "\n",
  }),
);

/** Tracked deletions and authors of comments, which are not part of the text. */
const hidden = new Set(["tracked-changes", "creator"]);

/** ODT, ODS and ODP: text is in paragraphs at any level. styles.xml has headers, footers and master pages. */
export async function readOpenDocument(
  archive: Archive,
  document: DocumentFile,
  text: TextOutput,
): Promise<void> {
  document.mediaType = await readMediaType(archive);
  if (!readable.test(document.mediaType)) throw new ReadingEnded("unsupported");
  if (await isEncrypted(archive)) throw new ReadingEnded("encrypted");
  const parts = ["content.xml", "styles.xml"].filter((name) => name === "content.xml" || archive.has(name));
  archive.requireReadable(parts);
  for (const name of parts) await readParagraphs(archive.read(name), text);
}

async function readMediaType(archive: Archive): Promise<string> {
  const longest = 100;
  let mediaType = "";
  for await (const chunk of archive.read("mimetype")) {
    mediaType += chunk.toString("latin1");
    if (mediaType.length > longest) break;
  }
  return mediaType.trim();
}

async function isEncrypted(archive: Archive): Promise<boolean> {
  if (!archive.has("META-INF/manifest.xml")) return false;
  let found = false;
  await readXml(archive.read("META-INF/manifest.xml"), {
    open(name) {
      found ||= name === "encryption-data";
    },
  });
  return found;
}

async function readParagraphs(part: AsyncIterable<Buffer>, text: TextOutput): Promise<void> {
  let paragraphs = 0;
  let cells = 0;
  let hiding = 0;
  await readXml(part, {
    open(name, attributes) {
      if (name === "p" || name === "h") paragraphs += 1;
      if (name === "table-cell") cells += 1;
      if (name === "table") text.write(`${attributes["table:name"] ?? ""}\n`);
      if (hidden.has(name)) hiding += 1;
    },
    text(piece) {
      if (paragraphs > 0 && hiding === 0) text.write(piece);
    },
    close(name) {
      if (name === "p" || name === "h") paragraphs -= 1;
      if (name === "table-cell") cells -= 1;
      if (hidden.has(name)) hiding -= 1;
      if (hiding > 0) return;
      // A row is one line, whatever its cells contain.
      text.write(name === "p" && cells > 0 ? " " : (separators.get(name) ?? ""));
    },
  });
}
