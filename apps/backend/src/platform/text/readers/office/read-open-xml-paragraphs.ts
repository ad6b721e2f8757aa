import type { TextOutput } from "../text-output.ts";
import { readXml } from "./read-xml.ts";

/** Elements that end a word. */
const separators = new Map(
  Object.entries({
    p: "\n",
    br: "\n",
    cr: "\n",
    tr: "\n",
    tab: "\t",
    tc: "\t",
    noBreakHyphen: "-",
  }),
);

/**
 * Paragraphs, runs and table cells have the same names in WordprocessingML and DrawingML, so one reader serves
 * documents, slides, notes and diagrams.
 */
export async function readOpenXmlParagraphs(part: AsyncIterable<Buffer>, text: TextOutput): Promise<void> {
  let inRun = false;
  let cells = 0;
  // A text box is stored twice: for current Word and, as a fallback, for Word 2007.
  let fallbacks = 0;
  await readXml(part, {
    open(name) {
      if (name === "Fallback") fallbacks += 1;
      if (name === "tc") cells += 1;
      inRun = name === "t";
    },
    text(piece) {
      if (inRun && fallbacks === 0) text.write(piece);
    },
    close(name) {
      if (name === "Fallback") fallbacks -= 1;
      if (name === "tc") cells -= 1;
      if (name === "t") inRun = false;
      if (fallbacks > 0) return;
      // A row is one line, whatever its cells contain.
      text.write(name === "p" && cells > 0 ? " " : (separators.get(name) ?? ""));
    },
  });
}
