import type { Archive } from "../archive.ts";
import { maxTextBytes } from "../extraction-limits.ts";
import type { TextOutput } from "../text-output.ts";
import { type Part, partsOf } from "./open-xml-parts.ts";
import { readOpenXmlParagraphs } from "./read-open-xml-paragraphs.ts";
import { readXml } from "./read-xml.ts";

const sharedStrings = /\.sharedStrings\+xml$/;
const worksheet = /\.worksheet\+xml$/;
const workbook = /\.main\+xml$/;
const comments = /spreadsheetml\.comments\+xml$/;
const drawing = /\.drawing\+xml$/;

/** Names of the sheets, then each sheet row by row with its cells between tabs, then comments and text boxes. */
export async function readWorkbook(archive: Archive, parts: Part[], text: TextOutput): Promise<void> {
  const names = (type: RegExp) => partsOf(parts, type);
  archive.requireReadable([sharedStrings, worksheet, workbook, comments, drawing].flatMap(names));
  for (const name of names(workbook)) await readSheetNames(archive.read(name), text);
  const strings: string[] = [];
  for (const name of names(sharedStrings)) await readSharedStrings(archive.read(name), strings);
  for (const name of names(worksheet)) {
    await readSheet(archive.read(name), strings, text);
    text.write("\n");
  }
  for (const name of [...names(comments), ...names(drawing)]) {
    await readOpenXmlParagraphs(archive.read(name), text);
    text.write("\n");
  }
}

async function readSheetNames(part: AsyncIterable<Buffer>, text: TextOutput): Promise<void> {
  await readXml(part, {
    open(name, attributes) {
      if (name === "sheet" && attributes.name !== undefined) text.write(`${attributes.name}\n`);
    },
  });
}

/** Kept up to the total length of text that we store; strings beyond it are empty. */
async function readSharedStrings(part: AsyncIterable<Buffer>, strings: string[]): Promise<void> {
  let string = "";
  let bytesLeft = maxTextBytes;
  const collect = collectText((piece) => {
    string += piece;
  });
  await readXml(part, {
    ...collect,
    close(name) {
      collect.close(name);
      if (name !== "si") return;
      bytesLeft -= string.length;
      strings.push(bytesLeft > 0 ? string : "");
      string = "";
    },
  });
}

async function readSheet(part: AsyncIterable<Buffer>, strings: string[], text: TextOutput): Promise<void> {
  let type = "";
  let cell = "";
  let inValue = false;
  const inline = collectText((piece) => {
    cell += piece;
  });
  await readXml(part, {
    open(name, attributes) {
      inline.open(name);
      if (name === "c") type = attributes.t ?? "n";
      inValue = name === "v";
    },
    text(piece) {
      inline.text(piece);
      if (inValue) cell += piece;
    },
    close(name) {
      inline.close(name);
      if (name === "v") inValue = false;
      if (name === "row") text.write("\n");
      if (name !== "c") return;
      const shown = type === "s" && cell !== "" ? (strings[Number(cell)] ?? "") : type === "e" ? "" : cell;
      if (shown !== "") text.write(`${shown}\t`);
      cell = "";
    },
  });
}

/** Text of a string, which may consist of runs. Skips `rPh`, the invisible reading of a Japanese word. */
function collectText(take: (piece: string) => void) {
  let inText = false;
  let inReading = false;
  return {
    open(name: string) {
      if (name === "rPh") inReading = true;
      inText = name === "t";
    },
    text(piece: string) {
      if (inText && !inReading) take(piece);
    },
    close(name: string) {
      if (name === "rPh") inReading = false;
      if (name === "t") inText = false;
    },
  };
}
