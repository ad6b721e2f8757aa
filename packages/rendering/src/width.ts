import stringWidth from "fast-string-width";

const plain = /^[ -~]*$/;
const characters = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** In the cells of a terminal. */
export function widthOf(text: string): number {
  return plain.test(text) ? text.length : stringWidth(text);
}

/** How much of a text fits, in its own characters: at least one, however narrow it is. */
export function fittingLength(text: string, cells: number): number {
  if (plain.test(text.slice(0, cells + 1))) return Math.max(1, Math.min(text.length, cells));
  let [end, used] = [0, 0];
  // Marks without end on one letter must not be measured without end.
  for (const { segment } of characters.segment(text.slice(0, longest(cells)))) {
    used += widthOf(segment);
    if (used > cells && end > 0) break;
    end += segment.length;
  }
  return end;
}

/** More of a text than fits so many cells, unless it is hostile. */
function longest(cells: number): number {
  return 32 * (cells + 1);
}

/** At most so many cells; a cut ends with `…`. */
export function cutTo(text: string, cells: number): string {
  return widthOf(text) <= cells ? text : `${text.slice(0, fittingLength(text, cells - 1))}…`;
}
