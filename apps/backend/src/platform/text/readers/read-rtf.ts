import type { DocumentFile } from "./document-file.ts";
import { maxDepth, maxMarkupBytes } from "./extraction-limits.ts";
import { ReadingEnded } from "./reading-ended.ts";
import { encodingOfCharset, encodingOfCodePage } from "./rtf-encoding.ts";
import type { TextOutput } from "./text-output.ts";

interface Group {
  isHidden: boolean;
  font: number;
  /** How many characters after `\u` replace it in programs without Unicode. */
  substitutes: number;
}

/** Groups without text of the document. */
const hidden = new Set(
  "fonttbl colortbl stylesheet info pict objdata themedata datafield listtable sp".split(" "),
);

/** Readers may ignore an unknown group marked with `\*`; this one contains text boxes. */
const visibleThoughMarked = "shpinst";

const shown = new Map(
  Object.entries({
    ...Object.fromEntries("par line row sect page column".split(" ").map((word) => [word, "\n"])),
    ...Object.fromEntries("tab cell nestcell".split(" ").map((word) => [word, "\t"])),
    ...{ emspace: " ", enspace: " ", emdash: "—", endash: "–", bullet: "•" },
    ...{ lquote: "‘", rquote: "’", ldblquote: "“", rdblquote: "”" },
  }),
);

/** A control word, a byte in hex, a control symbol, a brace, or literal characters. */
const token = /\\([a-z]+)(-?\d{1,10})? ?|\\'([\da-f]{2})|\\([^a-z])|([{}])|([^\\{}\r\n]+)|[\r\n]+|\\/giy;

export async function readRtf(document: DocumentFile, text: TextOutput): Promise<void> {
  const bytes = document.readStart(maxMarkupBytes);
  writeRtf(bytes.toString("latin1"), text);
  if (bytes.length < document.size) throw new ReadingEnded("truncated");
}

function writeRtf(rtf: string, text: TextOutput): void {
  const groups: Group[] = [];
  const encodings = new Map<number, string | undefined>();
  let group: Group = { isHidden: false, font: -1, substitutes: 1 };
  let defaultFont = -1;
  let defaultEncoding = "windows-1252";
  let isMarked = false;
  let toSkip = 0;
  let legacy = "";

  const writeLegacy = () => {
    if (legacy === "") return;
    if (!group.isHidden) {
      const encoding = encodings.get(group.font) ?? encodings.get(defaultFont) ?? defaultEncoding;
      text.write(isAscii(legacy) ? legacy : new TextDecoder(encoding).decode(Buffer.from(legacy, "latin1")));
    }
    legacy = "";
  };
  const addLegacy = (characters: string) => {
    const skipped = Math.min(toSkip, characters.length);
    toSkip -= skipped;
    legacy += characters.slice(skipped);
  };
  const obey = (word: string, value: number | undefined) => {
    if (hidden.has(word) || (isMarked && word !== visibleThoughMarked)) group.isHidden = true;
    const characters = shown.get(word);
    if (characters !== undefined && !group.isHidden) text.write(characters);
    if (value === undefined) return;
    if (word === "u") {
      if (!group.isHidden) text.write(String.fromCharCode(value & 0xffff));
      toSkip = group.substitutes;
    } else if (word === "uc") group.substitutes = value;
    else if (word === "f") group.font = value;
    else if (word === "fcharset") encodings.set(group.font, encodingOfCharset(value));
    else if (word === "deff") defaultFont = value;
    else if (word === "ansicpg") defaultEncoding = encodingOfCodePage(value);
    else if (word === "bin") token.lastIndex += Math.max(0, value);
  };

  token.lastIndex = 0;
  for (let match = token.exec(rtf); match; match = token.exec(rtf)) {
    const [, word, value, hex, symbol, brace, characters] = match;
    if (characters !== undefined) addLegacy(characters);
    else if (hex !== undefined) addLegacy(String.fromCharCode(Number.parseInt(hex, 16)));
    else if (symbol !== undefined && "\\{}".includes(symbol)) addLegacy(symbol);
    else if (word !== undefined || brace !== undefined || symbol !== undefined) {
      writeLegacy();
      toSkip = 0;
      if (brace === "{") {
        groups.push(group);
        if (groups.length > maxDepth) throw new Error("groups are nested too deeply");
        group = { ...group };
      } else if (brace === "}") group = groups.pop() ?? group;
      else if (word !== undefined) obey(word.toLowerCase(), value === undefined ? undefined : Number(value));
      else if (symbol === "~" && !group.isHidden) text.write(" ");
      else if (symbol === "_" && !group.isHidden) text.write("-");
      isMarked = symbol === "*";
    }
  }
  writeLegacy();
}

function isAscii(text: string): boolean {
  return !/[\x80-\xff]/.test(text);
}
