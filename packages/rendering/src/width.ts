import stringWidth from "fast-string-width";

const plain = /^[ -~]*$/;
const characters = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Printable ASCII: harmless, one line, and as wide as it is long. Most text is, and needs no Unicode tables. */
export function isPlain(text: string): boolean {
  return plain.test(text);
}

/** In the cells of a terminal. */
export function widthOf(text: string): number {
  return isPlain(text) ? text.length : stringWidth(text);
}

/** How much of a text fits, in its own characters: at least one, however narrow it is. */
export function fittingLength(text: string, cells: number): number {
  if (isPlain(text.slice(0, cells + 1))) return Math.max(1, Math.min(text.length, cells));
  const fits = (length: number) => widthOf(text.slice(0, length)) <= cells;
  // Between these, found by halving: a segmenter for all of it would take ten times as long.
  let [low, high] = [0, cells + 1];
  while (high < longest(cells) && fits(high)) [low, high] = [high, 2 * high];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle;
  }
  if (low >= text.length) return text.length;
  const { index, segment } = characters.segment(text.slice(0, low + longestCharacter)).containing(low) ?? {
    index: low,
    segment: "",
  };
  return index === 0 ? segment.length : index;
}

/** Marks without end on one letter are not measured without end. */
function longest(cells: number): number {
  return 32 * (cells + 1);
}

const longestCharacter = 64;

/** At most so many cells; a cut ends with `…`. */
export function cutTo(text: string, cells: number): string {
  return widthOf(text) <= cells ? text : `${text.slice(0, fittingLength(text, cells - 1))}…`;
}
